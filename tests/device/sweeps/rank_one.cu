// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "rank_one"
title = "Matrix minus the product of a column and a row, in place"
entry = "update"

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
type = "f64"
count = "n * n"
fill = "random:1"

[[arguments]]
buffer = "column"
type = "f64"
count = "n"
fill = "random:2"

[[arguments]]
buffer = "row"
type = "f64"
count = "n"
fill = "random:3"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void update(double* a, const double* column, const double* row, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        a[(size_t)y * n + x] -= column[y] * row[x];
}
