// launch: --entry readOnly --grid 2 --block 128 --arg f32[256]=iota --arg f32[256]=random:2 --arg f32[256]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=24 gld.sec=96 gst.req=16 gst.sec=64
__constant__ float weights[4] = { 0.1f, 0.2f, 0.3f, 0.4f };
__global__ void readOnly(const float* __restrict__ a, const volatile float* b, volatile float* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = __ldg(&a[i]) + b[i];
    v += b[i];
    out[i] = v;
    out[i] = v * weights[i & 3] + weights[0];
}
