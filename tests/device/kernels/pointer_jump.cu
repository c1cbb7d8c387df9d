// launch: --entry jump --grid 4 --block 64 --arg i32[512]=iota --arg i32[256] --arg i32:5
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=40 gst.req=8 gst.sec=32
__global__ void jump(const int* next, int* out, int hops)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int h = 0; h < hops; ++h)
        at = (next[at] + 17) % 512;
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
