// launch: --entry offByOne --grid 4 --block 64 --arg f32[256]=iota --arg f32[256]
// SPDX-License-Identifier: Apache-2.0
// no-device
// hazard: out-of-bounds 8
__global__ void offByOne(const float* in, float* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + in[i + 1];
}
