// launch: --entry copyOrZeros --grid 4 --block 64 --arg f32[1024]=iota --arg f32[256] --arg i32:200
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=7 gst.req=8 gld.sec=100 gst.sec=32 sld.inst=8 sst.inst=0 sld.wf=32 sst.wf=0
// An asynchronous copy that a predicate tells to read nothing, and to fill with zeros.
__global__ void copyOrZeros(const float* in, float* out, int n)
{
    __shared__ float4 tile[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    const unsigned to = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x);
    asm volatile("{.reg .pred none; setp.ge.s32 none, %2, %3; cp.async.cg.shared.global [%0], [%1], 16, none;}"
                 :: "r"(to), "l"(in + 4 * i), "r"(i), "r"(n));
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    out[i] = tile[threadIdx.x ^ 1].x;
}
