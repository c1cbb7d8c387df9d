// launch: --entry inlinePtx --grid 4 --block 64 --arg u32[256]=iota --arg u32[256]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=16 gld.sec=48 gst.req=8 gst.sec=32
__device__ unsigned laneId()
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
__global__ void inlinePtx(const unsigned* in, unsigned* out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v, w;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(in + i) : "memory");
    asm("{ .reg .pred p; setp.lt.u32 p, %1, 16; @p ld.global.nc.u32 %0, [%2]; @!p mov.u32 %0, 7; }" : "=r"(w) : "r"(laneId()), "l"(in + i));
    asm("bfe.u32 %0, %0, 1, 8;" : "+r"(v));
    out[i] = v + w;
}
