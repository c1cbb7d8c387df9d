// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "blur_u8"
title = "Mean over a square of bytes"
entry = "blur"

[[parameters]]
name = "rows"
default = 2048
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 2048
min = 1
max = 65536

[[parameters]]
name = "radius"
define = "RADIUS"
default = 2
min = 1
max = 8

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
type = "u8"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "u8"
count = "rows * cols"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"

--- */
__global__ void blur(const unsigned char* in, unsigned char* out, int rows, int cols) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= cols || y >= rows) return;
  int sum = 0;
  for (int dy = -RADIUS; dy <= RADIUS; ++dy)
    for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
      int xx = min(max(x + dx, 0), cols - 1), yy = min(max(y + dy, 0), rows - 1);
      sum += in[yy * cols + xx];
    }
  out[y * cols + x] = sum / ((2 * RADIUS + 1) * (2 * RADIUS + 1));
}
