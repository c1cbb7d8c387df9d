// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "conv2d_halo"
title = "2-D convolution of 5 x 5, tile and halo by a loop over the tile"
entry = "convolve"

[[parameters]]
name = "n"
default = 4096
min = 64
max = 16384

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
grid = ["cdiv(n, block_x)", "cdiv(n, block_y)"]
block = ["block_x", "block_y"]
dynamic_shared = "4 * (block_x + 4) * (block_y + 4)"

[[arguments]]
buffer = "in"
type = "f32"
count = "n * n"
fill = "random:1"

[[arguments]]
buffer = "mask"
type = "f32"
count = "25"
fill = "random:2"

[[arguments]]
buffer = "out"
type = "f32"
count = "n * n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
extern __shared__ float tile[];
__global__ void convolve(const float* __restrict__ in, const float* __restrict__ mask, float* out, int n)
{
    const int w = blockDim.x + 4, h = blockDim.y + 4;
    const int x0 = blockIdx.x * blockDim.x - 2, y0 = blockIdx.y * blockDim.y - 2;
    for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < w * h; i += blockDim.x * blockDim.y) {
        int x = x0 + i % w, y = y0 + i / w;
        tile[i] = x >= 0 && y >= 0 && x < n && y < n ? in[y * n + x] : 0.f;
    }
    __syncthreads();
    int x = x0 + 2 + threadIdx.x, y = y0 + 2 + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float sum = 0.f;
    for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 5; ++i)
            sum += mask[j * 5 + i] * tile[(threadIdx.y + j) * w + threadIdx.x + i];
    out[y * n + x] = sum;
}
