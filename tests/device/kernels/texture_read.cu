// launch: --entry textureRead --grid 2 --block 32 --arg i64:0 --arg f32[64]
// SPDX-License-Identifier: Apache-2.0
// refused: texture_read.cu:7
// no-device
__global__ void textureRead(unsigned long long texture, float* out)
{
    out[blockIdx.x * 32 + threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}
