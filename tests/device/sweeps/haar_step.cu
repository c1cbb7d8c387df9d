// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "haar_step"
title = "One step of a Haar wavelet: four quarters from pairs of pairs"
entry = "haar"

[[parameters]]
name = "n"
default = 4096
min = 32
max = 16384

[[parameters]]
name = "block_x"
default = 32
min = 1
max = 256

[[parameters]]
name = "block_y"
default = 8
min = 1
max = 64

[launch]
grid = ["cdiv(n // 2, block_x)", "cdiv(n // 2, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "in"
type = "f32"
count = "n * n"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "n * n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void haar(const float* in, float* out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, half = n / 2;
    if (x >= half || y >= half)
        return;
    float2 top = ((const float2*)in)[2 * y * half + x], low = ((const float2*)in)[(2 * y + 1) * half + x];
    float a = top.x + top.y, b = top.x - top.y, c = low.x + low.y, d = low.x - low.y;
    out[y * n + x] = 0.5f * (a + c);
    out[y * n + half + x] = 0.5f * (b + d);
    out[(half + y) * n + x] = 0.5f * (a - c);
    out[(half + y) * n + half + x] = 0.5f * (b - d);
}
