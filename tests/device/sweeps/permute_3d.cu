// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "permute_3d"
title = "Exchange of three dimensions"
entry = "permute"

[[parameters]]
name = "nx"
default = 256
min = 1
max = 4096

[[parameters]]
name = "ny"
default = 256
min = 1
max = 4096

[[parameters]]
name = "nz"
default = 256
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

[[parameters]]
name = "block_z"
default = 1
min = 1
max = 64

[[legality]]
condition = "block_x * block_y * block_z <= 1024"
parameters = ["block_x"]
sentence = "A block has at most 1024 threads."

[launch]
grid = ["cdiv(nx, block_x)", "cdiv(ny, block_y)", "cdiv(nz, block_z)"]
block = ["block_x","block_y","block_z"]

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
// (z, y, x) -> (x, z, y)
__global__ void permute(const float* in, float* out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx && y < ny && z < nz) out[((size_t)x * nz + z) * ny + y] = in[((size_t)z * ny + y) * nx + x];
}
