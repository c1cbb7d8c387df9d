// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "wmma_batch"
title = "Many products of 16 x 16 halves, one after the other in a warp, a by columns"
entry = "wmmaBatch"

[[parameters]]
name = "count"
default = 16384
min = 64
max = 262144

[[parameters]]
name = "each"
default = 4
min = 1
max = 16
presets = [1, 4, 16]

[[parameters]]
name = "warps"
default = 4
min = 1
max = 16
presets = [1, 4, 8]

[[legality]]
condition = "count % (each * warps) == 0"
parameters = ["count", "each", "warps"]
sentence = "The count must be a multiple of {each * warps}."

[launch]
grid = ["count // (each * warps)"]
block = ["32", "warps"]

[[arguments]]
buffer = "a"
type = "f16"
count = "count * 256"
fill = "random:1"

[[arguments]]
buffer = "b"
type = "f16"
count = "count * 256"
fill = "random:2"

[[arguments]]
buffer = "c"
type = "f16"
count = "count * 256"

[[arguments]]
scalar = "each"
type = "i32"
--- */
#include <mma.h>
using namespace nvcuda;

__global__ void wmmaBatch(const half* a, const half* b, half* c, int each)
{
    const int first = (blockIdx.x * blockDim.y + threadIdx.y) * each;
    for (int i = first; i < first + each; ++i) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> x;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
        wmma::fragment<wmma::accumulator, 16, 16, 16, half> sum;
        wmma::fill_fragment(sum, __float2half(0.0f));
        wmma::load_matrix_sync(x, a + (size_t)i * 256, 16);
        wmma::load_matrix_sync(y, b + (size_t)i * 256, 16);
        wmma::mma_sync(sum, x, y, sum);
        wmma::store_matrix_sync(c + (size_t)i * 256, sum, 16, wmma::mem_col_major);
    }
}
