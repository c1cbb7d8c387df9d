// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "mlp_fused"
title = "Two layers at once: a tile of the hidden layer stays in shared memory, wmma of 32 x 8"
entry = "mlpFused<{hidden}>"

[[parameters]]
name = "rows"
default = 8192
min = 32
max = 131072

[[parameters]]
name = "hidden"
default = 128
min = 32
max = 256
presets = [32, 64, 128]

[[legality]]
condition = "rows % 32 == 0"
parameters = ["rows"]
sentence = "The rows must be a multiple of 32."

[[legality]]
condition = "hidden % 32 == 0"
parameters = ["hidden"]
sentence = "The hidden layer must be a multiple of 32 wide."

[launch]
grid = ["rows // 32"]
block = ["128"]

[[arguments]]
buffer = "x"
type = "f16"
count = "rows * 64"
fill = "random:1"

[[arguments]]
buffer = "first"
type = "f16"
count = "64 * hidden"
fill = "random:2"

[[arguments]]
buffer = "second"
type = "f16"
count = "hidden * 32"
fill = "random:3"

[[arguments]]
buffer = "y"
type = "f32"
count = "rows * 32"
--- */
#include <mma.h>
using namespace nvcuda;

template <int Hidden>
__global__ void mlpFused(const half* x, const half* first, const half* second, float* y)
{
    __shared__ __align__(128) half hidden[32][Hidden + 8];
    const int warp = threadIdx.x / 32;
    x += (size_t)blockIdx.x * 32 * 64;
    for (int column = warp * 8; column < Hidden; column += 32) {
        wmma::fragment<wmma::accumulator, 32, 8, 16, half> sum;
        wmma::fill_fragment(sum, __float2half(0.0f));
        for (int i = 0; i < 64; i += 16) {
            wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::row_major> a;
            wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::row_major> b;
            wmma::load_matrix_sync(a, x + i, 64);
            wmma::load_matrix_sync(b, first + (size_t)i * Hidden + column, Hidden);
            wmma::mma_sync(sum, a, b, sum);
        }
        for (int i = 0; i < sum.num_elements; ++i)
            sum.x[i] = __hmax(sum.x[i], __float2half(0.0f));
        wmma::store_matrix_sync(&hidden[0][column], sum, Hidden + 8, wmma::mem_row_major);
    }
    __syncthreads();
    wmma::fragment<wmma::accumulator, 32, 8, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < Hidden; i += 16) {
        wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::row_major> b;
        wmma::load_matrix_sync(a, &hidden[0][i], Hidden + 8);
        wmma::load_matrix_sync(b, second + (size_t)i * 32 + warp * 8, 32);
        wmma::mma_sync(sum, a, b, sum);
    }
    wmma::store_matrix_sync(y + (size_t)blockIdx.x * 32 * 32 + warp * 8, sum, 32, wmma::mem_row_major);
}
