// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "bilinear_zoom"
title = "Image zoomed about its middle, bilinear"
entry = "zoom"

[[parameters]]
name = "n"
default = 2048
min = 32
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
grid = ["cdiv(n, block_x)", "cdiv(n, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "in"
type = "f32"
count = "n * n"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "n * n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void zoom(const float* in, float* out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float sx = (x + 0.5f) * 0.7321f + 0.13f * n - 0.5f, sy = (y + 0.5f) * 0.7321f + 0.13f * n - 0.5f;
    int x0 = (int)floorf(sx), y0 = (int)floorf(sy);
    float fx = sx - x0, fy = sy - y0;
    int x1 = min(x0 + 1, n - 1), y1 = min(y0 + 1, n - 1);
    float top = in[y0 * n + x0] * (1 - fx) + in[y0 * n + x1] * fx;
    float bottom = in[y1 * n + x0] * (1 - fx) + in[y1 * n + x1] * fx;
    out[y * n + x] = top * (1 - fy) + bottom * fy;
}
