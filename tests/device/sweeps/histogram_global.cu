// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "histogram_global"
title = "Histogram in global memory"
entry = "hist"

[[parameters]]
name = "n"
default = 4194304
min = 1
max = 100000000

[[parameters]]
name = "bins"
default = 1024
min = 1
max = 1048576

[[parameters]]
name = "block"
default = 256
min = 1
max = 1024

[launch]
grid = ["cdiv(n, block * 4)"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "u32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "u32"
count = "bins"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "bins"
type = "i32"

--- */
__global__ void hist(const unsigned* in, unsigned* out, int n, int bins) {
  int first = blockIdx.x * blockDim.x * 4 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k) { int i = first + k * blockDim.x; if (i < n) atomicAdd(&out[in[i] & (bins - 1)], 1u); }
}
