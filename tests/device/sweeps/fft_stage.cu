// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "fft_stage"
title = "A stage of a radix-2 transform in global memory, in place"
entry = "stage"

[[parameters]]
name = "n"
default = 4194304
min = 2
max = 67108864

[[parameters]]
name = "half"
default = 256
min = 1
max = 33554432

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(n // 2, block)"]
block = ["block"]

[[arguments]]
buffer = "data"
type = "f32"
count = "2 * n"
fill = "random:1"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "half"
type = "i32"
--- */
__global__ void stage(float2* data, int n, int half)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2)
        return;
    int k = t & (half - 1);
    int i = 2 * (t - k) + k;
    float angle = -3.14159265f * k / half;
    float2 w = make_float2(__cosf(angle), __sinf(angle));
    float2 a = data[i], b = data[i + half];
    float2 wb = make_float2(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);
    data[i] = make_float2(a.x + wb.x, a.y + wb.y);
    data[i + half] = make_float2(a.x - wb.x, a.y - wb.y);
}
