// launch: --entry swizzled --grid 6 --block 32,32 --arg u32[6144]=iota --arg u32[6144]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=192 gld.sec=768 gst.req=192 gst.sec=768 sst.inst=192 sst.wf=192 sld.inst=192 sld.wf=192
__global__ void swizzled(const unsigned* in, unsigned* out)
{
    __shared__ unsigned tile[1024];
    const unsigned x = threadIdx.x, y = threadIdx.y, base = blockIdx.x * 1024;
    tile[y * 32 + (x ^ y)] = in[base + y * 32 + x];
    __syncthreads();
    out[base + y * 32 + x] = tile[x * 32 + (x ^ y)];
}
