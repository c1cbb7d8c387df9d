// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "tf32_tiles"
title = "Product of floats on tensor cores (tf32), tiles in shared memory"
entry = "tf32Tiles<{tile},{pad}>"

[[parameters]]
name = "m"
default = 1024
min = 16
max = 8192

[[parameters]]
name = "n"
default = 1024
min = 16
max = 8192

[[parameters]]
name = "k"
default = 1024
min = 16
max = 8192

[[parameters]]
name = "tile"
default = 64
min = 32
max = 128
presets = [32, 64]

[[parameters]]
name = "pad"
default = 4
min = 0
max = 8
presets = [0, 4, 8]

[[legality]]
condition = "m % tile == 0 and n % tile == 0 and k % 32 == 0"
parameters = ["m", "n", "k", "tile"]
sentence = "Rows and columns must be multiples of {tile}, the depth of 32."

[[legality]]
condition = "pad % 4 == 0"
parameters = ["pad"]
sentence = "Rows of floats begin at multiples of 16 bytes."

[launch]
grid = ["n // tile", "m // tile"]
block = ["tile * tile // 32"]

[[arguments]]
buffer = "a"
type = "f32"
count = "m * k"
fill = "random:1"

[[arguments]]
buffer = "b"
type = "f32"
count = "k * n"
fill = "random:2"

[[arguments]]
buffer = "c"
type = "f32"
count = "m * n"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "k"
type = "i32"
--- */
#include <mma.h>
using namespace nvcuda;

template <int Tile, int Pad>
__global__ void tf32Tiles(const float* a, const float* b, float* c, int n, int k)
{
    constexpr int Deep = 32, Threads = Tile * Tile / 32, Across = Tile / 32;
    __shared__ __align__(128) float as[Tile][Deep + Pad];
    __shared__ __align__(128) float bs[Deep][Tile + Pad];
    const int warp = threadIdx.x / 32, row = warp / Across * 32, column = warp % Across * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum[2][2];
    for (auto& line : sum)
        for (auto& one : line)
            wmma::fill_fragment(one, 0.0f);
    for (int from = 0; from < k; from += Deep) {
        for (int i = threadIdx.x; i < Tile * Deep / 4; i += Threads) {
            const int r = i / (Deep / 4), q = i % (Deep / 4) * 4;
            *(float4*)&as[r][q] = *(const float4*)&a[(size_t)(blockIdx.y * Tile + r) * k + from + q];
            const int br = i / (Tile / 4), bq = i % (Tile / 4) * 4;
            *(float4*)&bs[br][bq] = *(const float4*)&b[(size_t)(from + br) * n + blockIdx.x * Tile + bq];
        }
        __syncthreads();
        for (int deep = 0; deep < Deep; deep += 8) {
            wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> x[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> y[2];
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(x[i], &as[row + 16 * i][deep], Deep + Pad);
                wmma::load_matrix_sync(y[i], &bs[deep][column + 16 * i], Tile + Pad);
                for (auto& one : x[i].x)
                    one = wmma::__float_to_tf32(one);
                for (auto& one : y[i].x)
                    one = wmma::__float_to_tf32(one);
            }
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j)
                    wmma::mma_sync(sum[i][j], x[i], y[j], sum[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            wmma::store_matrix_sync(
                c + (size_t)(blockIdx.y * Tile + row + 16 * i) * n + blockIdx.x * Tile + column + 16 * j, sum[i][j], n, wmma::mem_row_major);
}
