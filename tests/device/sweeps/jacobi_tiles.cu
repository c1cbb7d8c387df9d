// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "jacobi_tiles"
title = "Jacobi step with a halo in shared memory"
entry = "jacobi"

[[parameters]]
name = "n"
default = 4096
min = 1
max = 16384

[[parameters]]
name = "block_x"
default = 32
min = 1
max = 128

[[parameters]]
name = "block_y"
default = 8
min = 1
max = 64

[launch]
grid = ["cdiv(n, block_x)", "cdiv(n, block_y)"]
block = ["block_x", "block_y"]
dynamic_shared = "(block_x + 2) * (block_y + 2) * 4"

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
__global__ void jacobi(const float* in, float* out, int n)
{
    extern __shared__ float tile[];
    int w = blockDim.x + 2;
    int x0 = blockIdx.x * blockDim.x - 1, y0 = blockIdx.y * blockDim.y - 1;
    for (int y = threadIdx.y; y < blockDim.y + 2; y += blockDim.y)
        for (int x = threadIdx.x; x < w; x += blockDim.x) {
            int gx = min(max(x0 + x, 0), n - 1), gy = min(max(y0 + y, 0), n - 1);
            tile[y * w + x] = in[(size_t)gy * n + gx];
        }
    __syncthreads();
    int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
    const float* c = tile + (threadIdx.y + 1) * w + threadIdx.x + 1;
    if (x < n && y < n)
        out[(size_t)y * n + x] = 0.25f * (c[-1] + c[1] + c[-w] + c[w]);
}
