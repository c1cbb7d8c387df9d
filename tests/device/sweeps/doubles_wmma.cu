// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "doubles_wmma"
title = "Product of doubles with wmma, tiles in shared memory"
entry = "doublesWmma<{tile},{pad}>"

[[parameters]]
name = "m"
default = 512
min = 16
max = 4096

[[parameters]]
name = "n"
default = 512
min = 16
max = 4096

[[parameters]]
name = "k"
default = 512
min = 16
max = 4096

[[parameters]]
name = "tile"
default = 32
min = 16
max = 64
presets = [32, 64]

[[parameters]]
name = "pad"
default = 2
min = 0
max = 4
presets = [0, 2, 4]

[[legality]]
condition = "m % tile == 0 and n % tile == 0 and k % 16 == 0 and tile % 32 == 0"
parameters = ["m", "n", "k", "tile"]
sentence = "Rows and columns must be multiples of {tile}, the depth of 16."

[launch]
grid = ["n // tile", "m // tile"]
block = ["tile * tile // 8"]

[[arguments]]
buffer = "a"
type = "f64"
count = "m * k"
fill = "random:1"

[[arguments]]
buffer = "b"
type = "f64"
count = "k * n"
fill = "random:2"

[[arguments]]
buffer = "c"
type = "f64"
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

// Each warp makes 16 x 16 as four of 8 x 8.
template <int Tile, int Pad>
__global__ void doublesWmma(const double* a, const double* b, double* c, int n, int k)
{
    constexpr int Deep = 16, Threads = Tile * Tile / 8, Across = Tile / 16;
    __shared__ __align__(128) double as[Tile][Deep + Pad];
    __shared__ __align__(128) double bs[Deep][Tile + Pad];
    const int warp = threadIdx.x / 32, row = warp / Across * 16, column = warp % Across * 16;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum[2][2];
    for (auto& line : sum)
        for (auto& one : line)
            wmma::fill_fragment(one, 0.0);
    for (int from = 0; from < k; from += Deep) {
        for (int i = threadIdx.x; i < Tile * Deep; i += Threads) {
            as[i / Deep][i % Deep] = a[(size_t)(blockIdx.y * Tile + i / Deep) * k + from + i % Deep];
            bs[i / Tile][i % Tile] = b[(size_t)(from + i / Tile) * n + blockIdx.x * Tile + i % Tile];
        }
        __syncthreads();
        for (int deep = 0; deep < Deep; deep += 4) {
            wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> x[2];
            wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> y[2];
            for (int i = 0; i < 2; ++i) {
                wmma::load_matrix_sync(x[i], &as[row + 8 * i][deep], Deep + Pad);
                wmma::load_matrix_sync(y[i], &bs[deep][column + 8 * i], Tile + Pad);
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
                c + (size_t)(blockIdx.y * Tile + row + 8 * i) * n + blockIdx.x * Tile + column + 8 * j, sum[i][j], n, wmma::mem_row_major);
}
