// launch: --entry cmul --grid 300 --block 192 --arg f32[262144]=random:1 --arg f32[262144]=random:2 --arg f32[262144] --arg i32:131072
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=8192 gld.sec=65536 gst.req=4096 gst.sec=32768
__global__ void cmul(const float2* __restrict__ a, const float2* __restrict__ b, float2* c, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float2 x = a[i], y = b[i];
        c[i] = make_float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
    }
}
