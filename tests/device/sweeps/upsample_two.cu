// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "upsample_two"
title = "An image twice as large, each pixel four times"
entry = "upsample"

[[parameters]]
name = "n"
default = 2048
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
grid = ["cdiv(2 * n, block_x)", "cdiv(2 * n, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "in"
type = "f32"
count = "n * n"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "4 * n * n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void upsample(const float* in, float* out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 2 * n && y < 2 * n)
        out[(size_t)y * 2 * n + x] = in[(y / 2) * n + x / 2];
}
