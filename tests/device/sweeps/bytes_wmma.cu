// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "bytes_wmma"
title = "Product of bytes with wmma, b by columns, fragments from global memory"
entry = "bytesWmma<{warps},{across}>"

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
max = 8
presets = [1, 2, 4, 8]

[[parameters]]
name = "across"
default = 2
min = 1
max = 4
presets = [1, 2, 4]

[[legality]]
condition = "m % (16 * warps) == 0 and n % (16 * across) == 0 and k % 16 == 0"
parameters = ["m", "n", "k", "warps", "across"]
sentence = "Rows must be multiples of {16 * warps}, columns of {16 * across}, the depth of 16."

[launch]
grid = ["n // (16 * across)", "m // (16 * warps)"]
block = ["32", "warps"]

[[arguments]]
buffer = "a"
type = "i8"
count = "m * k"
fill = "random:1"

[[arguments]]
buffer = "b"
type = "i8"
count = "n * k"
fill = "random:2"

[[arguments]]
buffer = "c"
type = "i32"
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

template <int Warps, int Across>
__global__ void bytesWmma(const signed char* a, const signed char* b, int* c, int n, int k)
{
    const int row = (blockIdx.y * Warps + threadIdx.y) * 16, column = blockIdx.x * 16 * Across;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum[Across];
    for (auto& one : sum)
        wmma::fill_fragment(one, 0);
    for (int i = 0; i < k; i += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> x;
        wmma::load_matrix_sync(x, a + (size_t)row * k + i, k);
        for (int j = 0; j < Across; ++j) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> y;
            wmma::load_matrix_sync(y, b + (size_t)(column + 16 * j) * k + i, k);
            wmma::mma_sync(sum[j], x, y, sum[j]);
        }
    }
    for (int j = 0; j < Across; ++j)
        wmma::store_matrix_sync(c + (size_t)row * n + column + 16 * j, sum[j], n, wmma::mem_row_major);
}
