// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "filter_2d"
title = "5 x 5 filter, weights in constant memory"
entry = "filter2d"

[[parameters]]
name = "width"
default = 3840
min = 1
max = 16384

[[parameters]]
name = "height"
default = 2160
min = 1
max = 16384

[[parameters]]
name = "block_x"
default = 32
min = 1
max = 256

[[parameters]]
name = "block_y"
default = 8
min = 1
max = 64

[launch]
grid = ["cdiv(width, block_x)", "cdiv(height, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "in"
type = "f32"
count = "width * height"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "width * height"

[[arguments]]
scalar = "width"
type = "i32"

[[arguments]]
scalar = "height"
type = "i32"
--- */
__constant__ float weights[25] = { 1, 4, 6, 4, 1, 4, 16, 24, 16, 4, 6, 24, 36, 24, 6, 4, 16, 24, 16, 4, 1, 4, 6, 4, 1 };
__global__ void filter2d(const float* in, float* out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            int sx = min(max(x + dx, 0), width - 1), sy = min(max(y + dy, 0), height - 1);
            sum += weights[(dy + 2) * 5 + dx + 2] * in[sy * width + sx];
        }
    out[y * width + x] = sum * (1.0f / 256);
}
