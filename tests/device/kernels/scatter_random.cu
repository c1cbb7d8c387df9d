// launch: --entry scatter --grid 8 --block 128 --arg f32[1024]=iota --arg u8[1024]=random:7 --arg f32[4096]
// SPDX-License-Identifier: Apache-2.0
__global__ void scatter(const float* values, const unsigned char* index, float* out)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[index[i] * 16u] = values[i];
}
