// launch: --entry loadMatrix --grid 2 --block 32 --arg u32[256]=iota --arg u32[256]
// SPDX-License-Identifier: Apache-2.0
// Rows of 16 bytes, one after another: each of the four matrices needs one wavefront.
// expect: gld.req=2 gld.sec=32 gst.req=2 gst.sec=32 sst.inst=2 sst.wf=8
__global__ void loadMatrix(const uint4* in, uint4* out)
{
    __shared__ alignas(128) uint4 tile[32];
    tile[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    __syncthreads();
    uint4 r;
    unsigned row = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w) : "r"(row));
    out[blockIdx.x * 32 + threadIdx.x] = r;
}
