// launch: --entry pipelineCopy --grid 4 --block 64 --arg f32[1024]=iota --arg f32[1024]
// SPDX-License-Identifier: Apache-2.0
#include <cuda_pipeline.h>
__global__ void pipelineCopy(const float4* in, float4* out)
{
    __shared__ float4 stage[64];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&stage[t], &in[blockIdx.x * 64 + t], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * 64 + t] = stage[63 - t];
}
