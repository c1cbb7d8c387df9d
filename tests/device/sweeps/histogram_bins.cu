// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "histogram_bins"
title = "Histogram of bytes in shared memory"
entry = "hist"

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
name = "grid"
default = 264
min = 1
max = 65536

[launch]
grid = ["grid"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "u8"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "u32"
count = "256"

[[arguments]]
scalar = "n"
type = "i32"

--- */
__global__ void hist(const unsigned char* in, unsigned* out, int n) {
  __shared__ unsigned bins[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&out[i], bins[i]);
}
