// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "add_transposed"
title = "Matrix plus its transpose"
entry = "tiled<{tile},{pad}>"

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
type = "f64"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f64"
count = "rows * cols"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"

--- */
// out = in + in^T by tiles, square matrices
template <int T, int P> __global__ void tiled(const double* in, double* out, int rows, int cols) {
  __shared__ double t[T][T + P];
  int x0 = blockIdx.x * T, y0 = blockIdx.y * T;
  for (int j = threadIdx.y; j < T; j += blockDim.y) t[j][threadIdx.x] = in[(size_t)(x0 + j) * cols + y0 + threadIdx.x];
  __syncthreads();
  for (int j = threadIdx.y; j < T; j += blockDim.y) {
    size_t i = (size_t)(y0 + j) * cols + x0 + threadIdx.x;
    out[i] = in[i] + t[threadIdx.x][j];
  }
}
