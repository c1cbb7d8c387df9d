// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "stencil_five"
title = "Five-point stencil"
entry = "stencil"

[[parameters]]
name = "rows"
default = 4096
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 4096
min = 1
max = 65536

[[parameters]]
name = "block_x"
default = 32
min = 1
max = 1024

[[parameters]]
name = "block_y"
default = 8
min = 1
max = 1024

[launch]
grid = ["cdiv(cols, block_x)", "cdiv(rows, block_y)"]
block = ["block_x","block_y"]

[[arguments]]
buffer = "in"
type = "f32"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "rows * cols"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"

--- */
__global__ void stencil(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= cols - 1 || y >= rows - 1) return;
  size_t i = (size_t)y * cols + x;
  out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - cols] + in[i + cols]);
}
