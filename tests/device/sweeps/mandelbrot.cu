// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "mandelbrot"
title = "Escape times"
entry = "mandelbrot"

[[parameters]]
name = "n"
default = 1024
min = 32
max = 8192

[[parameters]]
name = "most"
default = 64
min = 1
max = 10000

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
buffer = "out"
type = "i32"
count = "n * n"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "most"
type = "i32"
--- */
__global__ void mandelbrot(int* out, int n, int most)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= n || py >= n)
        return;
    float cx = px * 3.0f / n - 2, cy = py * 3.0f / n - 1.5f, x = 0, y = 0;
    int turns = 0;
    while (turns < most && x * x + y * y < 4) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        ++turns;
    }
    out[py * n + px] = turns;
}
