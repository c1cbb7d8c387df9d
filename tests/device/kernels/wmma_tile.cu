// launch: --entry wmmaTile --grid 2 --block 32 --arg f16[512]=random:1 --arg f16[512]=random:2 --arg f32[512]
// SPDX-License-Identifier: Apache-2.0
// Each block one product: four loads of 8 rows, half a sector of each, for a and for b, four stores of 8 whole sectors.
// expect: gld.req=16 gld.sec=128 gst.req=8 gst.sec=64
#include <mma.h>
using namespace nvcuda;
__global__ void wmmaTile(const half* a, const half* b, float* c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a + blockIdx.x * 256, 16);
    wmma::load_matrix_sync(fb, b + blockIdx.x * 256, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c + blockIdx.x * 256, fc, 16, wmma::mem_row_major);
}
