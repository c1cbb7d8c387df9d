// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "scan_shared"
title = "Scan of blocks in shared memory"
entry = "scan"

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
name = "stride"
default = 1
min = 1
max = 4

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "i32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "i32"
count = "n"


[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "stride"
type = "i32"

--- */
__global__ void scan(const int* in, int* out, int n, int stride) {
  __shared__ int a[1024 * 4];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  a[t * stride] = i < n ? in[i] : 0;
  __syncthreads();
  for (int o = 1; o < blockDim.x; o *= 2) {
    int add = t >= o ? a[(t - o) * stride] : 0;
    __syncthreads();
    a[t * stride] += add;
    __syncthreads();
  }
  if (i < n) out[i] = a[t * stride];
}
