// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "im2col"
title = "Columns of 3 x 3 neighbourhoods, one row for each of the nine"
entry = "unfold"

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
count = "9 * n * n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void unfold(const float* in, float* out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    for (int k = 0; k < 9; ++k) {
        int u = x + k % 3 - 1, v = y + k / 3 - 1;
        out[(size_t)k * n * n + y * n + x] = u >= 0 && v >= 0 && u < n && v < n ? in[v * n + u] : 0;
    }
}
