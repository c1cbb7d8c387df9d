// launch: --entry histogram --grid 8 --block 256 --arg u8[16384]=random:3 --arg u32[256] --arg i32:16384
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=512 gld.sec=512
__global__ void histogram(const unsigned char* data, unsigned* bins, int n)
{
    __shared__ unsigned local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
