// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "wave_2d"
title = "Wave equation, three time levels"
entry = "wave"

[[parameters]]
name = "n"
default = 3072
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
max = 32

[launch]
grid = ["cdiv(n, block_x)", "cdiv(n, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "before"
type = "f32"
count = "n * n"
fill = "random:1"

[[arguments]]
buffer = "now"
type = "f32"
count = "n * n"
fill = "random:2"

[[arguments]]
buffer = "after"
type = "f32"
count = "n * n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void wave(const float* before, const float* now, float* after, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
        return;
    int i = y * n + x;
    after[i] = 2 * now[i] - before[i] + 0.2f * (now[i - 1] + now[i + 1] + now[i - n] + now[i + n] - 4 * now[i]);
}
