// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "pack_fields"
title = "One field of each structure, in and out"
entry = "scaleField"

[[parameters]]
name = "n"
default = 2097152
min = 1
max = 100000000

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
count = "n * stride"
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
__global__ void scaleField(const float* in, float* out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = 2.0f * in[i * stride];
}
