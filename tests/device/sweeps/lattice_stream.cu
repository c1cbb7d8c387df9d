// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "lattice_stream"
title = "Lattice Boltzmann step, nine directions"
entry = "lattice"

[[parameters]]
name = "width"
default = 2048
min = 32
max = 16384

[[parameters]]
name = "height"
default = 1024
min = 1
max = 16384

[[parameters]]
name = "block_x"
default = 64
min = 1
max = 512

[[parameters]]
name = "block_y"
default = 2
min = 1
max = 32

[launch]
grid = ["cdiv(width, block_x)", "cdiv(height, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "from"
type = "f32"
count = "9 * width * height"
fill = "random:1"

[[arguments]]
buffer = "to"
type = "f32"
count = "9 * width * height"

[[arguments]]
scalar = "width"
type = "i32"

[[arguments]]
scalar = "height"
type = "i32"
--- */
__global__ void lattice(const float* from, float* to, int width, int height)
{
    const int cx[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 }, cy[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };
    const float weight[9] = { 4 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f };
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float f[9], rho = 0, ux = 0, uy = 0;
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        int sx = (x - cx[k] + width) % width, sy = (y - cy[k] + height) % height;
        f[k] = from[(size_t)k * width * height + sy * width + sx];
        rho += f[k];
        ux += cx[k] * f[k];
        uy += cy[k] * f[k];
    }
    ux /= rho;
    uy /= rho;
    float square = 1.5f * (ux * ux + uy * uy);
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        float cu = 3 * (cx[k] * ux + cy[k] * uy);
        to[(size_t)k * width * height + y * width + x] = f[k] + 0.6f * (weight[k] * rho * (1 + cu + 0.5f * cu * cu - square) - f[k]);
    }
}
