// launch: --entry timed --grid 2 --block 64 --arg f32[128]=iota --arg f32[128] --arg i64[2]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=4 gld.sec=16 gst.req=6 gst.sec=18
__global__ void timed(const float* in, float* out, long long* ticks)
{
    long long begin = clock64();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + 1;
    if (threadIdx.x == 0)
        ticks[blockIdx.x] = clock64() - begin + clock();
}
