// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "channels_last"
title = "Images from channels first to channels last, through a tile"
entry = "channelsLast<{tile}>"

[[parameters]]
name = "images"
default = 16
min = 1
max = 1024

[[parameters]]
name = "channels"
default = 64
min = 1
max = 4096

[[parameters]]
name = "pixels"
default = 3136
min = 1
max = 1000000

[[parameters]]
name = "tile"
default = 32
min = 8
max = 64

[[parameters]]
name = "block_y"
default = 8
min = 1
max = 32

[launch]
grid = ["cdiv(pixels, tile)", "cdiv(channels, tile)", "images"]
block = ["tile", "block_y"]

[[arguments]]
buffer = "in"
type = "f16"
count = "images * channels * pixels"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f16"
count = "images * channels * pixels"

[[arguments]]
scalar = "channels"
type = "i32"

[[arguments]]
scalar = "pixels"
type = "i32"
--- */
template <int Tile> __global__ void channelsLast(const unsigned short* in, unsigned short* out, int channels, int pixels)
{
    __shared__ unsigned short tile[Tile][Tile + 2];
    size_t image = (size_t)blockIdx.z * channels * pixels;
    int p = blockIdx.x * Tile, c = blockIdx.y * Tile;
    for (int k = threadIdx.y; k < Tile; k += blockDim.y)
        if (c + k < channels && p + threadIdx.x < pixels)
            tile[k][threadIdx.x] = in[image + (size_t)(c + k) * pixels + p + threadIdx.x];
    __syncthreads();
    for (int k = threadIdx.y; k < Tile; k += blockDim.y)
        if (p + k < pixels && c + threadIdx.x < channels)
            out[image + (size_t)(p + k) * channels + c + threadIdx.x] = tile[threadIdx.x][k];
}
