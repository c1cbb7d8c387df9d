// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "depthwise_conv"
title = "3 x 3 convolution of each channel by itself, a grid layer a channel"
entry = "depthwise"

[[parameters]]
name = "side"
default = 112
min = 8
max = 1024

[[parameters]]
name = "channels"
default = 256
min = 1
max = 4096

[[parameters]]
name = "block_x"
default = 32
min = 4
max = 1024

[[parameters]]
name = "block_y"
default = 8
min = 1
max = 64

[launch]
grid = ["cdiv(side, block_x)", "cdiv(side, block_y)", "channels"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "input"
type = "f32"
count = "channels * side * side"
fill = "random:1"

[[arguments]]
buffer = "weight"
type = "f32"
count = "channels * 9"
fill = "random:2"

[[arguments]]
buffer = "output"
type = "f32"
count = "channels * side * side"

[[arguments]]
scalar = "side"
type = "i32"
--- */
__global__ void depthwise(const float* __restrict__ input, const float* __restrict__ weight, float* __restrict__ output, int side)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.z;
    if (x >= side || y >= side)
        return;
    const float* plane = input + (size_t)c * side * side;
    float sum = 0.f;
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
        for (int dx = -1; dx <= 1; ++dx) {
            const int sx = x + dx, sy = y + dy;
            if (sx >= 0 && sx < side && sy >= 0 && sy < side)
                sum += plane[sy * side + sx] * weight[c * 9 + (dy + 1) * 3 + dx + 1];
        }
    output[(size_t)c * side * side + y * side + x] = sum;
}
