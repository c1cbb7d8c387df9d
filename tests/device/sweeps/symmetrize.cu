// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "symmetrize"
title = "The lower triangle copied into the upper"
entry = "mirror"

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
grid = ["cdiv(n, block_x)", "cdiv(n, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "a"
type = "f32"
count = "n * n"
fill = "random:1"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void mirror(float* a, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < n && x < y)
        a[(size_t)x * n + y] = a[(size_t)y * n + x];
}
