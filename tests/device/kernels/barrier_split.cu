// launch: --entry split --grid 6 --block 224 --arg i32[5376]=iota --arg i32[5376]
// SPDX-License-Identifier: Apache-2.0
// Arrive, work, wait: turns of a cuda::barrier whose phases are told apart by their parity.
#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void split(const int* in, int* out)
{
    __shared__ int seen[2][224];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ Barrier bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    const int first = blockIdx.x * 4 * 224 + threadIdx.x;
    for (int t = 0; t < 4; ++t) {
        seen[t % 2][threadIdx.x] = in[first + t * 224];
        (void)bar.arrive();
        const int own = t * t + threadIdx.x;
        bar.wait_parity(t % 2);
        out[first + t * 224] = seen[t % 2][(threadIdx.x + 33) % 224] + own;
    }
}
