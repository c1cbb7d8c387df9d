// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "conv_channels"
title = "3 x 3 convolution over channels, tile with its border in shared memory"
entry = "conv<{tile_x},{tile_y}>"

[[parameters]]
name = "n"
default = 512
min = 32
max = 4096

[[parameters]]
name = "channels"
default = 16
min = 1
max = 256

[[parameters]]
name = "tile_x"
default = 32
min = 8
max = 64

[[parameters]]
name = "tile_y"
default = 8
min = 2
max = 32

[launch]
grid = ["cdiv(n, tile_x)", "cdiv(n, tile_y)"]
block = ["tile_x", "tile_y"]

[[arguments]]
buffer = "in"
type = "f32"
count = "channels * n * n"
fill = "random:1"

[[arguments]]
buffer = "weights"
type = "f32"
count = "channels * 9"
fill = "random:2"

[[arguments]]
buffer = "out"
type = "f32"
count = "n * n"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "channels"
type = "i32"
--- */
template <int X, int Y> __global__ void conv(const float* in, const float* weights, float* out, int n, int channels)
{
    __shared__ float tile[Y + 2][X + 2];
    int x0 = blockIdx.x * X, y0 = blockIdx.y * Y, t = threadIdx.y * X + threadIdx.x;
    float sum = 0;
    for (int c = 0; c < channels; ++c) {
        for (int i = t; i < (X + 2) * (Y + 2); i += X * Y) {
            int x = x0 + i % (X + 2) - 1, y = y0 + i / (X + 2) - 1;
            tile[i / (X + 2)][i % (X + 2)] = x >= 0 && x < n && y >= 0 && y < n ? in[((size_t)c * n + y) * n + x] : 0;
        }
        __syncthreads();
        for (int dy = 0; dy < 3; ++dy)
            for (int dx = 0; dx < 3; ++dx)
                sum += tile[threadIdx.y + dy][threadIdx.x + dx] * weights[c * 9 + dy * 3 + dx];
        __syncthreads();
    }
    int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x < n && y < n)
        out[y * n + x] = sum;
}
