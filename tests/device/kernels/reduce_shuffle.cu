// launch: --entry reduceShuffle --grid 20 --block 256 --arg f32[10000]=iota --arg f32[1] --arg i32:10000
// hazard: divergent-loop 17
// SPDX-License-Identifier: Apache-2.0
// 313 warps' turns of 32 elements; a warp stores its sum, and 8 lanes of one warp read them.
// expect: gld.req=313 gld.sec=1250 sst.inst=160 sst.wf=160 sld.inst=20 sld.wf=20
#define FULL 0xffffffffu
__inline__ __device__ float warpSum(float v)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        v += __shfl_down_sync(FULL, v, offset);
    return v;
}
__global__ void reduceShuffle(const float* __restrict__ in, float* total, int n)
{
    static __shared__ float partial[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += in[i];
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    sum = warpSum(sum);
    if (lane == 0)
        partial[warp] = sum;
    __syncthreads();
    sum = threadIdx.x < blockDim.x / warpSize ? partial[lane] : 0;
    if (warp == 0)
        sum = warpSum(sum);
    if (threadIdx.x == 0)
        atomicAdd(total, sum);
}
