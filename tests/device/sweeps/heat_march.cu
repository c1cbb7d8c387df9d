// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "heat_march"
title = "Seven-point stencil, threads march through the planes"
entry = "heat"

[[parameters]]
name = "n"
default = 256
min = 32
max = 1024

[[parameters]]
name = "planes"
default = 32
min = 4
max = 1024

[[parameters]]
name = "block_x"
default = 32
min = 4
max = 128

[[parameters]]
name = "block_y"
default = 8
min = 1
max = 32

[launch]
grid = ["cdiv(n, block_x)", "cdiv(n, block_y)", "cdiv(n, planes)"]
block = ["block_x", "block_y"]

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

[[arguments]]
scalar = "planes"
type = "i32"
--- */
__global__ void heat(const float* in, float* out, int n, int planes)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
        return;
    int first = max(1, (int)blockIdx.z * planes), last = min(n - 1, ((int)blockIdx.z + 1) * planes);
    size_t plane = (size_t)n * n, i = first * plane + (size_t)y * n + x;
    float below = in[i - plane], here = in[i];
    for (int z = first; z < last; ++z, i += plane) {
        float above = in[i + plane];
        out[i] = here + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + below + above - 6 * here);
        below = here;
        here = above;
    }
}
