// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "csr_warps"
title = "Sparse matrix (CSR, rows of equal length) times vector, a warp a row"
entry = "csr"

[[parameters]]
name = "rows"
default = 65536
min = 32
max = 1000000

[[parameters]]
name = "nnz"
default = 64
min = 1
max = 1024

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(rows * 32, block)"]
block = ["block"]

[[arguments]]
buffer = "columns"
type = "u32"
count = "rows * nnz"
fill = "random:3"

[[arguments]]
buffer = "values"
type = "f32"
count = "rows * nnz"
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
scalar = "nnz"
type = "i32"
--- */
__global__ void csr(const unsigned* columns, const float* values, const float* x, float* y, int rows, int nnz)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = row * nnz + lane; i < (row + 1) * nnz; i += 32)
        sum += values[i] * x[columns[i] % rows];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[row] = sum;
}
