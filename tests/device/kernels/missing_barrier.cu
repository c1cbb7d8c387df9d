// launch: --entry noBarrier --grid 4 --block 64 --arg f32[256]=iota --arg f32[256]
// SPDX-License-Identifier: Apache-2.0
// hazard: shared-race 8
// What line 9 reads before it is written is what the race decides.
__global__ void noBarrier(const float* in, float* out)
{
    __shared__ float s[64];
    s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
