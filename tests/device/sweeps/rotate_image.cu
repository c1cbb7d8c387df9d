// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "rotate_image"
title = "Image turned by an angle, nearest pixel"
entry = "rotate"

[[parameters]]
name = "n"
default = 4096
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
__global__ void rotate(const float* in, float* out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float fx = x - 0.5f * n, fy = y - 0.5f * n;
    int sx = (int)(0.8f * fx - 0.6f * fy + 0.5f * n), sy = (int)(0.6f * fx + 0.8f * fy + 0.5f * n);
    out[y * n + x] = sx >= 0 && sy >= 0 && sx < n && sy < n ? in[sy * n + sx] : 0;
}
