// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "pool_two"
title = "Largest of 2 x 2"
entry = "pool"

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
grid = ["cdiv(cols // 2, block_x)", "cdiv(rows // 2, block_y)"]
block = ["block_x","block_y"]

[[arguments]]
buffer = "in"
type = "f32"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "(rows // 2) * (cols // 2)"


[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"

--- */
__global__ void pool(const float* in, float* out, int rows, int cols) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= cols / 2 || y >= rows / 2) return;
  const float* a = in + (size_t)2 * y * cols + 2 * x;
  out[(size_t)y * (cols / 2) + x] = fmaxf(fmaxf(a[0], a[1]), fmaxf(a[cols], a[cols + 1]));
}
