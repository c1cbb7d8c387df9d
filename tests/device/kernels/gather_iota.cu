// launch: --entry gather --grid 8 --block 128 --arg f32[1024]=random:1 --arg i32[1024]=iota --arg f32[1024]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=64 gld.sec=256 gst.req=32 gst.sec=128
__global__ void gather(const float* values, const int* index, float* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = values[index[i]];
}
