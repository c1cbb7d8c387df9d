// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "conv1d_halo"
title = "1-D stencil of radius 8, a tile with its halo in shared memory"
entry = "stencil"

[[parameters]]
name = "n"
default = 16777216
min = 1024
max = 268435456

[[parameters]]
name = "radius"
default = 8
min = 1
max = 32

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]
dynamic_shared = "4 * (block + 2 * radius)"

[[arguments]]
buffer = "in"
type = "f32"
count = "n + 2 * radius"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "n"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "radius"
type = "i32"
--- */
extern __shared__ float s[];
__global__ void stencil(const float* in, float* out, int n, int radius)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int l = threadIdx.x + radius;
    if (g < n) s[l] = in[g + radius];
    if (threadIdx.x < radius) {
        s[l - radius] = in[g];
        if (g + blockDim.x + radius < n + 2 * radius)
            s[l + blockDim.x] = in[g + blockDim.x + radius];
    }
    __syncthreads();
    if (g < n) {
        float sum = 0;
        for (int o = -radius; o <= radius; ++o)
            sum += s[l + o];
        out[g] = sum;
    }
}
