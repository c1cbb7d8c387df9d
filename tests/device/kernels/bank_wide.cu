// launch: --entry bankWide --grid 2 --block 64 --arg f32[1024]
// SPDX-License-Identifier: Apache-2.0
// A warp stores 8-byte words (2 wavefronts) and 16-byte ones (4), reads them back across the warp, and
// reads a 16-byte broadcast (2 wavefronts).
// expect: sst.inst=8 sst.wf=24 sld.inst=12 sld.wf=32
__global__ void bankWide(float4* out)
{
    __shared__ __align__(16) float2 two[64];
    __shared__ float4 four[64];
    const int t = threadIdx.x, b = blockIdx.x * 64 + t;
    two[t] = make_float2(t, b);
    four[t] = make_float4(t, b, 1, 2);
    __syncthreads();
    float2 p = two[63 - t];
    float4 q = four[t ^ 33];
    float4 r = four[blockIdx.x];
    out[b] = make_float4(p.x + q.x + r.x, p.y + q.y + r.y, q.z + r.z, q.w + r.w);
}
