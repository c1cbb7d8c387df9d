// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "row_sums"
title = "Sums of rows, a block a row"
entry = "rowsum"

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
grid = ["rows"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "f32"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "rows"

[[arguments]]
scalar = "cols"
type = "i32"

--- */
__global__ void rowsum(const float* in, float* out, int cols) {
  __shared__ float part[32];
  const float* row = in + (size_t)blockIdx.x * cols;
  float s = 0;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) s += row[i];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffffu, s, o);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x < 32) {
    s = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.f;
    for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffffu, s, o);
    if (threadIdx.x == 0) out[blockIdx.x] = s;
  }
}
