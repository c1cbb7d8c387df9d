// launch: --entry rotate --grid 4 --block 32 --arg i32[512]=iota --arg i32[512] --arg u32:3
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=4 gst.req=4 gld.sec=64 gst.sec=68
// 64-bit index arithmetic over a ring.
__global__ void rotate(const int4* in, int4* out, unsigned by)
{
    unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    out[(i + by) % 128ull] = in[i];
}
