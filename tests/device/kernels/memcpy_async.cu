// launch: --entry blockCopy --grid 4 --block 64 --arg f32[256]=iota --arg f32[256]
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void blockCopy(const float* in, float* out)
{
    __shared__ float stage[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, stage, in + blockIdx.x * 64, sizeof stage);
    cg::wait(block);
    out[blockIdx.x * 64 + threadIdx.x] = stage[63 - threadIdx.x];
}
