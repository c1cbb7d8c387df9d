// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "spread_fields"
title = "Some fields of each structure"
entry = "spread<{fields}>"

[[parameters]]
name = "n"
default = 2097152
min = 1
max = 100000000

[[parameters]]
name = "fields"
default = 3
min = 1
max = 32

[[parameters]]
name = "stride"
default = 8
min = 1
max = 64

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
count = "n * fields"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "n * stride"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "stride"
type = "i32"

--- */
template <int F> __global__ void spread(const float* in, float* out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#pragma unroll
  for (int k = 0; k < F; ++k) out[i * stride + k] = in[k * n + i];
}
