// launch: --entry pipe --grid 10 --block 128 --arg f32[40960]=random:1 --arg f32[40960]
// SPDX-License-Identifier: Apache-2.0
// A block's cuda::pipeline of three stages, fetched two ahead.
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void pipe(const float4* in, float4* out)
{
    constexpr int kThreads = 128, kStages = 3, kTiles = 8;
    __shared__ float4 tile[kStages][kThreads];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
    const auto block = cooperative_groups::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    const int first = blockIdx.x * kTiles;
    for (int fetched = 0, t = 0; t < kTiles; ++t) {
        for (; fetched < kTiles && fetched < t + kStages; ++fetched) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, tile[fetched % kStages], in + (first + fetched) * kThreads,
                cuda::aligned_size_t<16>(sizeof tile[0]), pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        out[(first + t) * kThreads + threadIdx.x] = tile[t % kStages][kThreads - 1 - threadIdx.x];
        pipeline.consumer_release();
    }
}
