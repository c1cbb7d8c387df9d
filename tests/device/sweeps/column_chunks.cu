// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "column_chunks"
title = "Sums of columns, in chunks of rows"
entry = "colsum"

[[parameters]]
name = "rows"
default = 4096
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 8192
min = 1
max = 65536

[[parameters]]
name = "block"
default = 128
min = 1
max = 1024

[[parameters]]
name = "chunk"
default = 64
min = 1
max = 4096

[launch]
grid = ["cdiv(cols, block)", "cdiv(rows, chunk)"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "f32"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "cols * cdiv(rows, chunk)"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"

[[arguments]]
scalar = "chunk"
type = "i32"

--- */
__global__ void colsum(const float* in, float* out, int rows, int cols, int chunk) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float s = 0;
  int end = min(rows, (int)(blockIdx.y + 1) * chunk);
  for (int r = blockIdx.y * chunk; r < end; ++r) s += in[(size_t)r * cols + c];
  out[(size_t)blockIdx.y * cols + c] = s;
}
