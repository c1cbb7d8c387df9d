// launch: --entry window --grid 40 --block 128 --arg f32[20488]=random:1 --arg f32[20480]
// SPDX-License-Identifier: Apache-2.0
// Windows of 512 floats and four more on either side come by bulk copies, which are not aligned to lines.
#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void window(const float* in, float* out)
{
    constexpr int kOwn = 512, kAll = kOwn + 8;
    __shared__ alignas(128) float tile[kAll];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ Barrier ready;
    if (threadIdx.x == 0) {
        init(&ready, blockDim.x);
        cuda::device::experimental::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::experimental::cp_async_bulk_global_to_shared(tile, in + blockIdx.x * kOwn, sizeof tile, ready);
        token = cuda::device::barrier_arrive_tx(ready, 1, sizeof tile);
    } else {
        token = ready.arrive();
    }
    ready.wait(std::move(token));
    for (int i = threadIdx.x; i < kOwn; i += blockDim.x) {
        float sum = 0;
        for (int k = 0; k < 9; ++k)
            sum += tile[i + k];
        out[blockIdx.x * kOwn + i] = sum;
    }
}
