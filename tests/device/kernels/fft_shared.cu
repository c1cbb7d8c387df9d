// launch: --entry butterflies --grid 64 --block 128 --arg f32[32768]=random:1 --arg f32[32768]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=512 gld.sec=4096 gst.req=512 gst.sec=4096 sld.inst=4608 sst.inst=4608 sld.wf=13312 sst.wf=13312
__global__ void butterflies(const float2* in, float2* out)
{
    __shared__ float2 s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    s[t + 128] = in[blockIdx.x * 256 + t + 128];
    for (int half = 1; half < 256; half *= 2) {
        __syncthreads();
        int k = t & (half - 1), i = 2 * (t - k) + k;
        float2 a = s[i], b = s[i + half];
        s[i] = make_float2(a.x + b.x, a.y + b.y);
        s[i + half] = make_float2(a.x - b.x, a.y - b.y);
    }
    __syncthreads();
    out[blockIdx.x * 256 + t] = s[t];
    out[blockIdx.x * 256 + t + 128] = s[t + 128];
}
