// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "mean_pixels"
title = "Means of 4 x 4 pixels of bytes"
entry = "meanPixels"

[[parameters]]
name = "width"
default = 7680
min = 4
max = 16384

[[parameters]]
name = "height"
default = 4320
min = 4
max = 16384

[[parameters]]
name = "block_x"
default = 32
min = 1
max = 256

[[parameters]]
name = "block_y"
default = 4
min = 1
max = 32

[launch]
grid = ["cdiv(width // 4, block_x)", "cdiv(height // 4, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "in"
type = "u8"
count = "width * height"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "u8"
count = "width * height // 16"

[[arguments]]
scalar = "width"
type = "i32"

[[arguments]]
scalar = "height"
type = "i32"
--- */
__global__ void meanPixels(const unsigned char* in, unsigned char* out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (4 * x >= width || 4 * y >= height)
        return;
    int sum = 8;
    for (int k = 0; k < 4; ++k) {
        uchar4 v = *(const uchar4*)(in + (size_t)(4 * y + k) * width + 4 * x);
        sum += v.x + v.y + v.z + v.w;
    }
    out[(size_t)y * (width / 4) + x] = sum / 16;
}
