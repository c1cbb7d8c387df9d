// launch: --entry saxpy --grid 40 --block 256 --arg i32:10000 --arg f32:2.5 --arg f32[10000]=iota --arg f32[10000]=random:1
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=626 gld.sec=2500 gst.req=313 gst.sec=1250
__global__ void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
