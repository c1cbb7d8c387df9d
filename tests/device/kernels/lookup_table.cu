// launch: --entry lookup --grid 8 --block 128 --arg u32[1024]=random:5 --arg f32[4096]=iota --arg f32[1024] --arg u32:4096
// SPDX-License-Identifier: Apache-2.0
// Which entries a warp reads is told by the data; `entries` is a power of two.
__global__ void lookup(const unsigned* keys, const float* table, float* out, unsigned entries)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[keys[i] & (entries - 1)];
}
