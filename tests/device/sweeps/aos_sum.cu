// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "aos_sum"
title = "Sum of the fields of structures"
entry = "aos"

[[parameters]]
name = "n"
default = 4194304
min = 1
max = 100000000

[[parameters]]
name = "block"
default = 256
min = 1
max = 1024

[[parameters]]
name = "fields"
define = "FIELDS"
default = 4
min = 1
max = 16

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
count = "n"

[[arguments]]
scalar = "n"
type = "i32"

--- */
struct Particle { float v[FIELDS]; };
__global__ void aos(const Particle* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int k = 0; k < FIELDS; ++k) s += in[i].v[k];
  out[i] = s;
}
