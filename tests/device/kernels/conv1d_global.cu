// launch: --entry conv1d --grid 8 --block 128 --arg f32[1056]=random:1 --arg f32[33]=random:2 --arg f32[1024]
// SPDX-License-Identifier: Apache-2.0
// The filter lies in global memory: every warp of every block reads all of it.
constexpr int kTaps = 33;
__global__ void conv1d(const float* in, const float* taps, float* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kTaps; ++k)
        sum += taps[k] * in[i + k];
    out[i] = sum;
}
