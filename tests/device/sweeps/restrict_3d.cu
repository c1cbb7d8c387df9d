// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "restrict_3d"
title = "Restriction of a multigrid cycle"
entry = "restrict3d"

[[parameters]]
name = "n"
default = 256
min = 8
max = 1024

[[parameters]]
name = "block_x"
default = 32
min = 1
max = 256

[[parameters]]
name = "block_y"
default = 4
min = 1
max = 32

[[parameters]]
name = "block_z"
default = 1
min = 1
max = 16

[launch]
grid = ["cdiv(n // 2, block_x)", "cdiv(n // 2, block_y)", "cdiv(n // 2, block_z)"]
block = ["block_x", "block_y", "block_z"]

[[arguments]]
buffer = "fine"
type = "f64"
count = "n * n * n"
fill = "random:1"

[[arguments]]
buffer = "coarse"
type = "f64"
count = "n * n * n // 8"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void restrict3d(const double* fine, double* coarse, int n)
{
    int half = n / 2, x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= half || y >= half || z >= half)
        return;
    double sum = 0;
    for (int dz = 0; dz < 2; ++dz)
        for (int dy = 0; dy < 2; ++dy)
            for (int dx = 0; dx < 2; ++dx)
                sum += fine[((size_t)(2 * z + dz) * n + 2 * y + dy) * n + 2 * x + dx];
    coarse[((size_t)z * half + y) * half + x] = 0.125 * sum;
}
