// launch: --entry stencil --grid 4,16 --block 32,8 --arg f32[17160]=iota --arg f32[17160] --arg i32:132 --arg i32:130
// SPDX-License-Identifier: Apache-2.0
// Nine neighbours straight from global memory: a block's rows and columns overlap those of the blocks around it.
__global__ void stencil(const float* in, float* out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= width - 1 || y >= height - 1)
        return;
    float sum = 0;
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
        for (int dx = -1; dx <= 1; ++dx)
            sum += in[(y + dy) * width + x + dx];
    out[y * width + x] = sum / 9;
}
