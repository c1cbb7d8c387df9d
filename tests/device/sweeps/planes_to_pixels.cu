// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "planes_to_pixels"
title = "Planes of floats into pixels of bytes"
entry = "pack"

[[parameters]]
name = "n"
default = 4096
min = 32
max = 16384

[[parameters]]
name = "channels"
default = 3
min = 1
max = 4

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
grid = ["cdiv(n, block_x)", "cdiv(n, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "in"
type = "f32"
count = "n * n * channels"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "u8"
count = "n * n * channels"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "channels"
type = "i32"
--- */
__global__ void pack(const float* in, unsigned char* out, int n, int channels)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    int i = y * n + x;
    for (int c = 0; c < channels; ++c)
        out[i * channels + c] = (unsigned char)(255.0f * fminf(fmaxf(in[(size_t)c * n * n + i], 0.0f), 1.0f));
}
