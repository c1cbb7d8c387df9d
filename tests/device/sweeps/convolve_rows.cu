// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "convolve_rows"
title = "Convolution of rows, halo in shared memory"
entry = "convRows"

[[parameters]]
name = "rows"
default = 2048
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 4096
min = 1
max = 65536

[[parameters]]
name = "block_x"
default = 128
min = 1
max = 1024

[[parameters]]
name = "block_y"
default = 1
min = 1
max = 32

[[parameters]]
name = "radius"
define = "R"
default = 4
min = 1
max = 16

[launch]
grid = ["cdiv(cols, block_x)", "cdiv(rows, block_y)"]
block = ["block_x","block_y"]

[[legality]]
condition = "block_x * block_y <= 1024"
parameters = ["block_x"]
sentence = "A block has at most 1024 threads."

[[arguments]]
buffer = "in"
type = "f32"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "taps"
type = "f32"
count = "33"
fill = "random:2"

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
__global__ void convRows(const float* __restrict__ in, const float* __restrict__ taps, float* __restrict__ out, int rows, int cols) {
  __shared__ float line[1024 + 1024];
  int x0 = blockIdx.x * blockDim.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float* mine = line + threadIdx.y * (blockDim.x + 2 * R);
  if (y < rows)
    for (int i = threadIdx.x; i < blockDim.x + 2 * R; i += blockDim.x) { int x = x0 + i - R; mine[i] = x >= 0 && x < cols ? in[y * cols + x] : 0.f; }
  __syncthreads();
  int x = x0 + threadIdx.x;
  if (x >= cols || y >= rows) return;
  float s = 0;
  for (int k = 0; k <= 2 * R; ++k) s += taps[k] * mine[threadIdx.x + k];
  out[y * cols + x] = s;
}
