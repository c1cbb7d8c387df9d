// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "ell_multiply"
title = "Sparse matrix (ELL) times vector"
entry = "ell"

[[parameters]]
name = "rows"
default = 262144
min = 32
max = 10000000

[[parameters]]
name = "width"
default = 16
min = 1
max = 128

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[parameters]]
name = "spread"
default = 64
min = 1
max = 1000000

[launch]
grid = ["cdiv(rows, block)"]
block = ["block"]

[[arguments]]
buffer = "values"
type = "f32"
count = "rows * width"
fill = "random:1"

[[arguments]]
buffer = "x"
type = "f32"
count = "rows"
fill = "random:2"

[[arguments]]
buffer = "y"
type = "f32"
count = "rows"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "width"
type = "i32"

[[arguments]]
scalar = "spread"
type = "i32"
--- */
__global__ void ell(const float* values, const float* x, float* y, int rows, int width, int spread)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = 0; k < width; ++k) {
        int column = (row + k * spread) % rows;
        sum += values[(size_t)k * rows + row] * x[column];
    }
    y[row] = sum;
}
