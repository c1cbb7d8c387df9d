// launch: --entry conv1d --grid 8 --block 128 --arg f32[1040]=random:1 --arg f32[1024] --define RADIUS=8
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=40 gst.req=32 gld.sec=144 gst.sec=128 sld.inst=544 sst.inst=40 sld.wf=544 sst.wf=40
__constant__ float taps[2 * RADIUS + 1];
__global__ void conv1d(const float* in, float* out)
{
    __shared__ float s[128 + 2 * RADIUS];
    int t = threadIdx.x, base = blockIdx.x * 128;
    s[t] = in[base + t];
    if (t < 2 * RADIUS)
        s[128 + t] = in[base + 128 + t];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k <= 2 * RADIUS; ++k)
        sum += taps[k] * s[t + k];
    out[base + t] = sum;
}
