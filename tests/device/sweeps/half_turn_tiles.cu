// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "half_turn_tiles"
title = "Transpose of half turns in tiles of shorts"
entry = "tileCopy<{tile},{pad}>"

[[parameters]]
name = "rows"
default = 4096
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 2048
min = 1
max = 65536

[[parameters]]
name = "tile"
default = 32
min = 1
max = 64

[[parameters]]
name = "pad"
default = 1
min = 1
max = 8

[[parameters]]
name = "block_y"
default = 8
min = 1
max = 64

[[legality]]
condition = "tile * block_y <= 1024 and tile % block_y == 0"
parameters = ["tile"]
sentence = "A tile has at most 1024 threads, and whole groups of rows."

[launch]
grid = ["cdiv(cols, tile)", "cdiv(rows, tile)"]
block = ["tile","block_y"]

[[arguments]]
buffer = "in"
type = "u16"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "u16"
count = "rows * cols"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"

--- */
// every tile turned by half a turn through shared memory read by columns, then transposed
template <int T, int P> __global__ void tileCopy(const unsigned short* in, unsigned short* out, int rows, int cols) {
  __shared__ unsigned short t[T][T + P];
  int x = blockIdx.x * T + threadIdx.x, y0 = blockIdx.y * T;
#pragma unroll
  for (int j = threadIdx.y; j < T; j += blockDim.y) if (x < cols && y0 + j < rows) t[j][threadIdx.x] = in[(size_t)(y0 + j) * cols + x];
  __syncthreads();
  int ox = blockIdx.y * T + threadIdx.x, oy0 = blockIdx.x * T;
  for (int j = threadIdx.y; j < T; j += blockDim.y) if (ox < rows && oy0 + j < cols) out[(size_t)(oy0 + j) * rows + ox] = t[T - 1 - threadIdx.x][j];
}
