// launch: --entry aosToSoa --grid 128 --block 256 --arg f32[98304]=random:1 --arg f32[32768] --arg f32[32768] --arg f32[32768] --arg i32:32768
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=3072 gld.sec=12288 gst.req=3072 gst.sec=12288 sld.inst=3072 sst.inst=3072 sld.wf=3072 sst.wf=3072
__global__ void aosToSoa(const float* in, float* x, float* y, float* z, int n)
{
    __shared__ float s[768];
    int t = threadIdx.x, base = blockIdx.x * 256;
    for (int k = 0; k < 3; ++k)
        s[k * 256 + t] = in[base * 3 + k * 256 + t];
    __syncthreads();
    x[base + t] = s[3 * t];
    y[base + t] = s[3 * t + 1];
    z[base + t] = s[3 * t + 2];
}
