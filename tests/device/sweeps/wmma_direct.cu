// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "wmma_direct"
title = "Product of halves with wmma, fragments straight from global memory"
entry = "wmmaDirect<{warps}>"

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
name = "warps"
default = 4
min = 1
max = 16
presets = [1, 2, 4, 8]

[[legality]]
condition = "m % 16 == 0 and n % (16 * warps) == 0 and k % 16 == 0"
parameters = ["m", "n", "k", "warps"]
sentence = "Rows and depth must be multiples of 16, columns of {16 * warps}."

[launch]
grid = ["n // (16 * warps)", "m // 16"]
block = ["32 * warps"]

[[arguments]]
buffer = "a"
type = "f16"
count = "m * k"
fill = "random:1"

[[arguments]]
buffer = "b"
type = "f16"
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

template <int Warps>
__global__ void wmmaDirect(const half* a, const half* b, float* c, int n, int k)
{
    const int row = blockIdx.y * 16, column = (blockIdx.x * Warps + threadIdx.x / 32) * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < k; i += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
        wmma::load_matrix_sync(x, a + (size_t)row * k + i, k);
        wmma::load_matrix_sync(y, b + (size_t)i * n + column, n);
        wmma::mma_sync(sum, x, y, sum);
    }
    wmma::store_matrix_sync(c + (size_t)row * n + column, sum, n, wmma::mem_row_major);
}
