// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "sobel_edges"
title = "Edges of an image"
entry = "sobel"

[[parameters]]
name = "rows"
default = 3000
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 3000
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
__global__ void sobel(const float* in, float* out, int rows, int cols) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x <= 0 || y <= 0 || x >= cols - 1 || y >= rows - 1) return;
  const float *u = in + (y - 1) * cols + x, *m = u + cols, *d = m + cols;
  float gx = u[1] - u[-1] + 2 * (m[1] - m[-1]) + d[1] - d[-1], gy = d[-1] + 2 * d[0] + d[1] - u[-1] - 2 * u[0] - u[1];
  out[y * cols + x] = sqrtf(gx * gx + gy * gy);
}
