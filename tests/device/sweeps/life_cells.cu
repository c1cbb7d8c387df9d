// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "life_cells"
title = "Game of Life, a byte a cell"
entry = "life"

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
buffer = "in"
type = "u8"
count = "n * n"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "u8"
count = "n * n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void life(const unsigned char* in, unsigned char* out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    int count = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0)
                count += in[(y + dy + n) % n * n + (x + dx + n) % n] & 1;
    int alive = in[y * n + x] & 1;
    out[y * n + x] = count == 3 || (alive && count == 2);
}
