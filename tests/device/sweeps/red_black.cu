// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "red_black"
title = "One colour of a red-black Gauss-Seidel sweep: every other cell, in place"
entry = "sweep"

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
grid = ["cdiv(n // 2, block_x)", "cdiv(n, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "u"
type = "f32"
count = "n * n"
fill = "random:1"

[[arguments]]
buffer = "f"
type = "f32"
count = "n * n"
fill = "random:2"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void sweep(float* u, const float* f, int n)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + (y & 1);
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
        return;
    int i = y * n + x;
    u[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - f[i]);
}
