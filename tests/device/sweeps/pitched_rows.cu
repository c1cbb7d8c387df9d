// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "pitched_rows"
title = "Rows of a ragged image copied to a pitch"
entry = "copyRows"

[[parameters]]
name = "rows"
default = 4000
min = 1
max = 65536

[[parameters]]
name = "width"
default = 1000
min = 1
max = 65536

[[parameters]]
name = "pitch"
default = 1024
min = 1
max = 65536

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
grid = ["cdiv(width, block_x)", "cdiv(rows, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "in"
type = "f64"
count = "rows * width"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f64"
count = "rows * pitch"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "width"
type = "i32"

[[arguments]]
scalar = "pitch"
type = "i32"
--- */
__global__ void copyRows(const double* in, double* out, int rows, int width, int pitch)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < rows)
        out[(size_t)y * pitch + x] = in[(size_t)y * width + x];
}
