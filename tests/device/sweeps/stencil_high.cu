// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "stencil_high"
title = "3-D stencil of radius 4 along the axes"
entry = "laplacian"

[[parameters]]
name = "n"
default = 320
min = 16
max = 1024

[[parameters]]
name = "block_x"
default = 32
min = 4
max = 256

[[parameters]]
name = "block_y"
default = 4
min = 1
max = 64

[[parameters]]
name = "block_z"
default = 2
min = 1
max = 16

[launch]
grid = ["cdiv(n, block_x)", "cdiv(n, block_y)", "cdiv(n, block_z)"]
block = ["block_x", "block_y", "block_z"]

[[arguments]]
buffer = "in"
type = "f32"
count = "n * n * n"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "n * n * n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
#define RADIUS 4
__global__ void laplacian(const float* in, float* out, int n)
{
    const float c[RADIUS + 1] = { -2.847f, 1.6f, -0.2f, 0.02539f, -0.00178f };
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < RADIUS || y < RADIUS || z < RADIUS || x >= n - RADIUS || y >= n - RADIUS || z >= n - RADIUS)
        return;
    int i = (z * n + y) * n + x;
    float v = 3 * c[0] * in[i];
#pragma unroll
    for (int r = 1; r <= RADIUS; ++r)
        v += c[r] * (in[i - r] + in[i + r] + in[i - r * n] + in[i + r * n] + in[i - r * n * n] + in[i + r * n * n]);
    out[i] = v;
}
