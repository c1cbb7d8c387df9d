// launch: --entry quantize --grid 200 --block 256 --arg f32[204800]=random:1 --arg u8[204800] --arg f32:12.5 --arg i32:51200
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=1600 gld.sec=25600 gst.req=1600 gst.sec=6400
__global__ void quantize(const float4* in, uchar4* out, float scale, int n4)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n4)
        return;
    float4 v = in[i];
    out[i] = make_uchar4(v.x * scale, v.y * scale, v.z * scale, v.w * scale);
}
