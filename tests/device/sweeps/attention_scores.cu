// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "attention_scores"
title = "Scores of queries and keys, a tile a block"
entry = "scores<{tile}>"

[[parameters]]
name = "n"
default = 2048
min = 32
max = 16384

[[parameters]]
name = "dim"
default = 64
min = 16
max = 256

[[parameters]]
name = "tile"
default = 32
min = 8
max = 32

[launch]
grid = ["cdiv(n, tile)", "cdiv(n, tile)"]
block = ["tile", "tile"]

[[arguments]]
buffer = "q"
type = "f32"
count = "n * dim"
fill = "random:1"

[[arguments]]
buffer = "k"
type = "f32"
count = "n * dim"
fill = "random:2"

[[arguments]]
buffer = "s"
type = "f32"
count = "n * n"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "dim"
type = "i32"
--- */
template <int Tile> __global__ void scores(const float* q, const float* k, float* s, int n, int dim)
{
    __shared__ float a[Tile][Tile + 1], b[Tile][Tile + 1];
    int row = blockIdx.y * Tile + threadIdx.y, col = blockIdx.x * Tile;
    float sum = 0;
    for (int d = 0; d < dim; d += Tile) {
        a[threadIdx.y][threadIdx.x] = q[row * dim + d + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = k[(col + threadIdx.y) * dim + d + threadIdx.x];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < Tile; ++i)
            sum += a[threadIdx.y][i] * b[threadIdx.x][i];
        __syncthreads();
    }
    s[(size_t)row * n + col + threadIdx.x] = sum * rsqrtf(dim);
}
