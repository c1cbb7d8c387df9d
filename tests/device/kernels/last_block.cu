// launch: --entry lastBlock --grid 8 --block 64 --arg i32[512]=iota --arg i32[8] --arg u32[1] --arg i32[1]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=24 gld.sec=72 sst.inst=72 sst.wf=72 sld.inst=120 sld.wf=120
__global__ void lastBlock(const int* in, int* partial, unsigned* done, int* total)
{
    __shared__ int s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int d = 32; d > 0; d >>= 1) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicAdd(done, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (int b = 0; b < gridDim.x; ++b)
            sum += ((volatile int*)partial)[b];
        *total = sum;
    }
}
