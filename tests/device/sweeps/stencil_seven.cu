// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "stencil_seven"
title = "Seven-point stencil in three dimensions"
entry = "stencil"

[[parameters]]
name = "nx"
default = 320
min = 1
max = 4096

[[parameters]]
name = "ny"
default = 320
min = 1
max = 4096

[[parameters]]
name = "nz"
default = 320
min = 1
max = 4096

[[parameters]]
name = "block_x"
default = 32
min = 1
max = 1024

[[parameters]]
name = "block_y"
default = 8
min = 1
max = 1024

[launch]
grid = ["cdiv(nx, block_x)", "cdiv(ny, block_y)", "nz"]
block = ["block_x","block_y"]

[[arguments]]
buffer = "in"
type = "f32"
count = "nx * ny * nz"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "nx * ny * nz"


[[arguments]]
scalar = "nx"
type = "i32"

[[arguments]]
scalar = "ny"
type = "i32"

[[arguments]]
scalar = "nz"
type = "i32"

--- */
__global__ void stencil(const float* in, float* out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  size_t i = ((size_t)z * ny + y) * nx + x, plane = (size_t)nx * ny;
  out[i] = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - plane] + in[i + plane] - 6 * in[i];
}
