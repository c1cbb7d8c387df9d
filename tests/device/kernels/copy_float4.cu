// launch: --entry copyFloat4 --grid 16 --block 128 --arg f32[8192]=iota --arg f32[8192]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=64 gld.sec=1024 gst.req=64 gst.sec=1024
__global__ void copyFloat4(const float4* in, float4* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
