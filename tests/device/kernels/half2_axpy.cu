// launch: --entry halfAxpy --grid 4 --block 128 --arg f16[1024]=iota --arg f16[1024]=random:2 --arg f16[1024] --arg f32:1.5
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=32 gld.sec=128 gst.req=16 gst.sec=64
#include <cuda_fp16.h>
__global__ void halfAxpy(const __half2* x, const __half2* y, __half2* out, float a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 s = __float2half2_rn(a);
    out[i] = __hadd2(__hmul2(s, x[i]), __hfma2(s, x[i], y[i]));
}
