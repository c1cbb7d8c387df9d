// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "particles_soa"
title = "Particles as a structure of arrays"
entry = "step"

[[parameters]]
name = "n"
default = 4000000
min = 1
max = 100000000

[[parameters]]
name = "block"
default = 256
min = 1
max = 1024

[[parameters]]
name = "per"
default = 1
min = 1
max = 16

[launch]
grid = ["cdiv(n, block * per)"]
block = ["block"]

[[arguments]]
buffer = "px"
type = "f32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "py"
type = "f32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "pz"
type = "f32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "vx"
type = "f32"
count = "n"
fill = "random:2"

[[arguments]]
buffer = "vy"
type = "f32"
count = "n"
fill = "random:2"

[[arguments]]
buffer = "vz"
type = "f32"
count = "n"
fill = "random:2"

[[arguments]]
scalar = "n"
type = "i32"

--- */
__global__ void step(float* px, float* py, float* pz, const float* vx, const float* vy, const float* vz, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    px[i] += 0.01f * vx[i]; py[i] += 0.01f * vy[i]; pz[i] += 0.01f * vz[i];
  }
}
