// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "sgemm_registers"
title = "Matrix product, 8 x 8 results a thread"
entry = "sgemm<{tile},{depth}>"

[[parameters]]
name = "n"
default = 1024
min = 128
max = 8192

[[parameters]]
name = "tile"
default = 64
min = 32
max = 128

[[parameters]]
name = "depth"
default = 8
min = 8
max = 32

[launch]
grid = ["n // tile", "n // tile"]
block = ["tile // 8 * (tile // 8)"]

[[arguments]]
buffer = "a"
type = "f32"
count = "n * n"
fill = "random:1"

[[arguments]]
buffer = "b"
type = "f32"
count = "n * n"
fill = "random:2"

[[arguments]]
buffer = "c"
type = "f32"
count = "n * n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
template <int Tile, int Depth> __global__ void sgemm(const float* a, const float* b, float* c, int n)
{
    constexpr int kThreads = Tile / 8 * (Tile / 8);
    __shared__ float as[Depth][Tile], bs[Depth][Tile];
    int row = blockIdx.y * Tile, col = blockIdx.x * Tile;
    int ty = threadIdx.x / (Tile / 8) * 8, tx = threadIdx.x % (Tile / 8) * 8;
    float sum[8][8] = {};
    for (int k = 0; k < n; k += Depth) {
        for (int i = threadIdx.x; i < Tile * Depth; i += kThreads)
            as[i % Depth][i / Depth] = a[(row + i / Depth) * n + k + i % Depth];
        for (int i = threadIdx.x; i < Tile * Depth; i += kThreads)
            bs[i / Tile][i % Tile] = b[(k + i / Tile) * n + col + i % Tile];
        __syncthreads();
        for (int d = 0; d < Depth; ++d) {
            float x[8], y[8];
            for (int i = 0; i < 8; ++i)
                x[i] = as[d][ty + i];
            for (int j = 0; j < 8; ++j)
                y[j] = bs[d][tx + j];
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 8; ++j)
                    sum[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
            c[(row + ty + i) * n + col + tx + j] = sum[i][j];
}
