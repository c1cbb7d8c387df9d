// launch: --entry unusedLoad --grid 4 --block 64 --arg f32[256]=iota --arg f32[256] --arg i32:0
// SPDX-License-Identifier: Apache-2.0
// The value of the first load may be used: the compiler asks for it always. The second load is predicated off.
// expect: gld.req=16 gld.sec=64 gst.req=8 gst.sec=32
__global__ void unusedLoad(const float* in, float* out, int flag)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float unused = in[255 - i];
    float extra = 0;
    if (flag > 0)
        extra = in[i / 2];
    out[i] = in[i] + extra + (flag > 5 ? unused : 0);
}
