// launch: --entry barrierCopy --grid 4 --block 64 --arg f32[256]=iota --arg f32[256]
// SPDX-License-Identifier: Apache-2.0
#include <cuda/barrier>
__global__ void barrierCopy(const float* in, float* out)
{
    __shared__ float stage[64];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    stage[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    bar.arrive_and_wait();
    out[blockIdx.x * 64 + threadIdx.x] = stage[63 - threadIdx.x];
}
