// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "reduce_atomic"
title = "Sum with one atomic a block"
entry = "reduce"

[[parameters]]
name = "n"
default = 16777216
min = 1
max = 200000000

[[parameters]]
name = "block"
default = 256
min = 1
max = 1024

[[parameters]]
name = "per"
default = 8
min = 1
max = 64

[launch]
grid = ["cdiv(n, block * per)"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "f32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "1"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "per"
type = "i32"

--- */
__global__ void reduce(const float* in, float* out, int n, int per) {
  __shared__ float part[32];
  float s = 0;
  int first = blockIdx.x * blockDim.x * per + threadIdx.x;
  for (int k = 0; k < per; ++k) { int i = first + k * blockDim.x; if (i < n) s += in[i]; }
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) { float t = 0; for (int w = 0; w < blockDim.x / 32; ++w) t += part[w]; atomicAdd(out, t); }
}
