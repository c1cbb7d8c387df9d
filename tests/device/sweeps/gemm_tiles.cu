// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "gemm_tiles"
title = "Matrix product in square tiles"
entry = "gemm<{tile}>"

[[parameters]]
name = "n"
default = 1024
min = 1
max = 65536

[[parameters]]
name = "tile"
default = 16
min = 1
max = 32

[launch]
grid = ["cdiv(n, tile)", "cdiv(n, tile)"]
block = ["tile","tile"]

[[arguments]]
buffer = "a"
type = "f32"
count = "n * n"
fill = "random:1"

[[arguments]]
buffer = "b"
type = "f32"
count = "n * n"
fill = "random:2"

[[arguments]]
buffer = "c"
type = "f32"
count = "n * n"

[[arguments]]
scalar = "n"
type = "i32"

--- */
template <int T> __global__ void gemm(const float* a, const float* b, float* c, int n) {
  __shared__ float as[T][T], bs[T][T];
  int col = blockIdx.x * T + threadIdx.x, row = blockIdx.y * T + threadIdx.y;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    as[threadIdx.y][threadIdx.x] = row < n && t + threadIdx.x < n ? a[row * n + t + threadIdx.x] : 0;
    bs[threadIdx.y][threadIdx.x] = col < n && t + threadIdx.y < n ? b[(t + threadIdx.y) * n + col] : 0;
    __syncthreads();
    for (int k = 0; k < T; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}
