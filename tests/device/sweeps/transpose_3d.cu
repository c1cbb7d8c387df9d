// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "transpose_3d"
title = "Batches of matrices transposed by tiles"
entry = "transpose"

[[parameters]]
name = "rows"
default = 500
min = 1
max = 4096

[[parameters]]
name = "cols"
default = 700
min = 1
max = 4096

[[parameters]]
name = "batch"
default = 24
min = 1
max = 1024

[[parameters]]
name = "tile"
default = 32
min = 8
max = 32

[[parameters]]
name = "rows_at_once"
default = 8
min = 1
max = 32

[launch]
grid = ["cdiv(cols, tile)", "cdiv(rows, tile)", "batch"]
block = ["tile", "rows_at_once"]
dynamic_shared = "8 * tile * (tile + 1)"

[[arguments]]
buffer = "in"
type = "f64"
count = "rows * cols * batch"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f64"
count = "rows * cols * batch"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"

[[arguments]]
scalar = "tile"
type = "i32"
--- */
extern __shared__ double cell[];
__global__ void transpose(const double* in, double* out, int rows, int cols, int tile)
{
    in += (size_t)blockIdx.z * rows * cols;
    out += (size_t)blockIdx.z * rows * cols;
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile;
    for (int j = threadIdx.y; j < tile; j += blockDim.y)
        if (x < cols && y + j < rows)
            cell[j * (tile + 1) + threadIdx.x] = in[(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * tile + threadIdx.x;
    y = blockIdx.x * tile;
    for (int j = threadIdx.y; j < tile; j += blockDim.y)
        if (x < rows && y + j < cols)
            out[(y + j) * rows + x] = cell[threadIdx.x * (tile + 1) + j];
}
