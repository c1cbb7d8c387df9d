// launch: --entry lastWarp --grid 4 --block 64 --arg f32[256]=iota --arg f32[4]
// SPDX-License-Identifier: Apache-2.0
// A block: 2 stores, 5 more of one warp; 2 loads of one warp, 5 more.
// expect: gld.req=8 gld.sec=32 gst.req=4 gst.sec=4 sst.inst=28 sst.wf=28 sld.inst=28 sld.wf=28
__global__ void lastWarp(const float* in, float* out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    if (t < 32) {
        float v = s[t] + s[t + 32];
        for (int d = 16; d > 0; d >>= 1) {
            s[t] = v;
            __syncwarp();
            v += s[t ^ d];
            __syncwarp();
        }
        if (t == 0)
            out[blockIdx.x] = v;
    }
}
