// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "columns_times"
title = "Matrix in columns times a vector, a thread a row, parts added by atomics"
entry = "times"

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

[[parameters]]
name = "chunk"
default = 256
min = 1
max = 4096

[launch]
grid = ["cdiv(rows, block)", "cdiv(cols, chunk)"]
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

[[arguments]]
scalar = "chunk"
type = "i32"

--- */
__global__ void times(const float* a, const float* x, float* y, int rows, int cols, int chunk) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0;
  int first = blockIdx.y * chunk, end = min(cols, first + chunk);
  for (int c = first; c < end; ++c) s += a[(size_t)c * rows + r] * x[c];
  atomicAdd(y + r, s);
}
