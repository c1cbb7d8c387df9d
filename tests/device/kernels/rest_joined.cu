// launch: --entry restJoined --grid 8 --block 128 --arg f32[4096]=random:1 --arg f32[65536]=random:2 --arg i32:1024
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=67584 gst.req=2048 gld.sec=270336 gst.sec=8192 sld.inst=18944 sst.inst=1024 sld.wf=35840 sst.wf=1024
// A triangular system, one right-hand side a thread: of a row's elements, four at a time, the one to three that remain lie in one
// aligned piece of 16 bytes and are loaded at once, before the branches between them.
__global__ void restJoined(const float* __restrict__ lower, float* b, int n)
{
    __shared__ float tile[64 * 64];
    for (int i = threadIdx.x; i < 64 * 64; i += blockDim.x)
        tile[i] = lower[i];
    __syncthreads();
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= n)
        return;
    for (int i = 0; i < 64; ++i) {
        float s = b[(size_t)i * n + c];
        for (int j = 0; j < i; ++j)
            s -= tile[i * 64 + j] * b[(size_t)j * n + c];
        b[(size_t)i * n + c] = s / tile[i * 64 + i];
    }
}
