// launch: --entry drawn --grid 8 --block 64 --arg i32[1280]=iota --arg i32[1280] --arg i32:20 --arg u32[1]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=40 gst.req=40 gld.sec=160 gst.sec=160 sld.inst=56 sst.inst=28 sld.wf=56 sst.wf=28
// Tiles are drawn from a counter that all blocks share: 20 of them, and each block draws once in vain.
__global__ void drawn(const int* in, int* out, int tiles, unsigned* next)
{
    __shared__ unsigned tile;
    for (;;) {
        if (threadIdx.x == 0)
            tile = atomicAdd(next, 1u);
        __syncthreads();
        if (tile >= tiles)
            return;
        const int i = tile * 64 + threadIdx.x;
        out[i] = in[i] + 1;
        __syncthreads();
    }
}
