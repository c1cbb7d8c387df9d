// launch: --entry reduceTree --grid 32 --block 256 --arg f32[8192]=iota --arg f32[32]
// SPDX-License-Identifier: Apache-2.0
// Per block: 8 loads of 4 sectors, 8 first stores; the tree's steps of 128, 64, 32 threads and six of one warp
// read twice and write once, and the last thread reads once.
// expect: gld.req=256 gld.sec=1024 gst.req=32 gst.sec=32 sld.inst=800 sld.wf=800 sst.inst=640 sst.wf=640
__global__ void reduceTree(const float* in, float* out)
{
    __shared__ float s[256];
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
