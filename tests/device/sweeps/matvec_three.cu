// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "matvec_three"
title = "3 x 3 matrices times vectors, one a thread"
entry = "times"

[[parameters]]
name = "n"
default = 2097152
min = 32
max = 100000000

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]

[[arguments]]
buffer = "m"
type = "f32"
count = "9 * n"
fill = "random:1"

[[arguments]]
buffer = "v"
type = "f32"
count = "3 * n"
fill = "random:2"

[[arguments]]
buffer = "out"
type = "f32"
count = "3 * n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void times(const float* m, const float* v, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float* a = m + 9 * (size_t)i;
    float x = v[3 * i], y = v[3 * i + 1], z = v[3 * i + 2];
    for (int r = 0; r < 3; ++r)
        out[3 * i + r] = a[3 * r] * x + a[3 * r + 1] * y + a[3 * r + 2] * z;
}
