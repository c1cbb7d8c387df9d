// launch: --entry shifted --grid 2 --block 32 --arg f32[1024]=iota --arg f32[1024] --arg i32:1
// SPDX-License-Identifier: Apache-2.0
// hazard: misaligned 8
// no-device
__global__ void shifted(const float* in, float* out, int offset)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    *(float4*)&out[i] = *(const float4*)&in[i + offset];
}
