// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "scores_bf16"
title = "Scores of attention heads with wmma, bf16: each warp 16 queries with 16 keys at a time"
entry = "scoresBf16<{depth},{warps}>"

[[parameters]]
name = "heads"
default = 16
min = 1
max = 256

[[parameters]]
name = "length"
default = 512
min = 64
max = 4096

[[parameters]]
name = "depth"
default = 64
min = 32
max = 128
presets = [32, 64, 128]

[[parameters]]
name = "warps"
default = 4
min = 1
max = 8
presets = [1, 2, 4, 8]

[[legality]]
condition = "length % (16 * warps) == 0"
parameters = ["length", "warps"]
sentence = "The length must be a multiple of {16 * warps}."

[[legality]]
condition = "depth % 16 == 0"
parameters = ["depth"]
sentence = "The depth must be a multiple of 16."

[launch]
grid = ["length // (16 * warps)", "heads"]
block = ["32 * warps"]

[[arguments]]
buffer = "queries"
type = "bf16"
count = "heads * length * depth"
fill = "random:1"

[[arguments]]
buffer = "keys"
type = "bf16"
count = "heads * length * depth"
fill = "random:2"

[[arguments]]
buffer = "scores"
type = "f32"
count = "heads * length * length"

[[arguments]]
scalar = "length"
type = "i32"

[[arguments]]
scalar = "scale"
type = "f32"
value = 0.125
--- */
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda;

template <int Depth, int Warps>
__global__ void scoresBf16(const __nv_bfloat16* queries, const __nv_bfloat16* keys, float* scores, int length, float scale)
{
    const int query = (blockIdx.x * Warps + threadIdx.x / 32) * 16;
    queries += (size_t)blockIdx.y * length * Depth;
    keys += (size_t)blockIdx.y * length * Depth;
    scores += (size_t)blockIdx.y * length * length;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> q[Depth / 16];
    for (int i = 0; i < Depth / 16; ++i)
        wmma::load_matrix_sync(q[i], queries + (size_t)query * Depth + 16 * i, Depth);
    for (int key = 0; key < length; key += 16) {
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
        wmma::fill_fragment(sum, 0.0f);
        for (int i = 0; i < Depth / 16; ++i) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::col_major> y;
            wmma::load_matrix_sync(y, keys + (size_t)key * Depth + 16 * i, Depth);
            wmma::mma_sync(sum, q[i], y, sum);
        }
        for (int i = 0; i < sum.num_elements; ++i)
            sum.x[i] *= scale;
        wmma::store_matrix_sync(scores + (size_t)query * length + key, sum, length, wmma::mem_row_major);
    }
}
