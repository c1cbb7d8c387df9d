// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "gather_stride"
title = "Gather at a stride"
entry = "gather"

[[parameters]]
name = "n"
default = 4194304
min = 1
max = 100000000

[[parameters]]
name = "stride"
default = 1
min = 1
max = 4096

[[parameters]]
name = "block"
default = 256
min = 1
max = 1024

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "f32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "n"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "stride"
type = "i32"

--- */
__global__ void gather(const float* in, float* out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[(unsigned)(i * (long long)stride) & (n - 1)];
}
