// launch: --entry roles --grid 12 --block 256 --arg f32[24576]=random:1 --arg f32[24576]
// SPDX-License-Identifier: Apache-2.0
// Four warps fetch, four others store what those have fetched; cuda::barrier stands between.
#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void roles(const float* in, float* out)
{
    constexpr int kHalf = 128, kTiles = 16;
    __shared__ float tile[2][kHalf];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ Barrier filled[2], drained[2];
    if (threadIdx.x < 4)
        init(threadIdx.x < 2 ? filled + threadIdx.x : drained + (threadIdx.x - 2), 2 * kHalf);
    __syncthreads();
    const int first = blockIdx.x * kTiles * kHalf, lane = threadIdx.x % kHalf;
    for (int t = 0; t < kTiles; ++t) {
        if (threadIdx.x < kHalf) {
            if (t >= 2)
                drained[t % 2].arrive_and_wait();
            tile[t % 2][lane] = in[first + t * kHalf + lane];
            (void)filled[t % 2].arrive();
        } else {
            filled[t % 2].arrive_and_wait();
            out[first + t * kHalf + lane] = tile[t % 2][lane * 9 % kHalf];
            if (t + 2 < kTiles)
                (void)drained[t % 2].arrive();
        }
    }
}
