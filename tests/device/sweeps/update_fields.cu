// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "update_fields"
title = "Structures of floats, updated field by field"
entry = "update<{fields}>"

[[parameters]]
name = "n"
default = 2097152
min = 1
max = 100000000

[[parameters]]
name = "fields"
default = 4
min = 1
max = 12

[[parameters]]
name = "block"
default = 256
min = 1
max = 1024

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]

[[arguments]]
buffer = "data"
type = "f32"
count = "n * fields"
fill = "random:1"

[[arguments]]
scalar = "n"
type = "i32"

--- */
template <int F> __global__ void update(float* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < F; ++k) data[i * F + k] = data[i * F + k] * 1.5f + k;
}
