// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "gemv_warps"
title = "Matrix times vector, a warp a row"
entry = "gemv"

[[parameters]]
name = "rows"
default = 8192
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 4096
min = 1
max = 65536

[[parameters]]
name = "block"
default = 256
min = 1
max = 1024

[launch]
grid = ["cdiv(rows * 32, block)"]
block = ["block"]

[[arguments]]
buffer = "a"
type = "f32"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "x"
type = "f32"
count = "cols"
fill = "random:2"

[[arguments]]
buffer = "y"
type = "f32"
count = "rows"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"

--- */
__global__ void gemv(const float* a, const float* x, float* y, int rows, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float s = 0;
  for (int i = lane; i < cols; i += 32) s += a[(size_t)row * cols + i] * x[i];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffffu, s, o);
  if (lane == 0) y[row] = s;
}
