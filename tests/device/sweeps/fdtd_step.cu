// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "fdtd_step"
title = "Electric field from the magnetic one, three arrays"
entry = "step"

[[parameters]]
name = "nx"
default = 2048
min = 32
max = 16384

[[parameters]]
name = "ny"
default = 2048
min = 32
max = 16384

[[parameters]]
name = "block_x"
default = 32
min = 1
max = 256

[[parameters]]
name = "block_y"
default = 8
min = 1
max = 64

[launch]
grid = ["cdiv(nx, block_x)", "cdiv(ny, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "ex"
type = "f32"
count = "nx * ny"
fill = "random:1"

[[arguments]]
buffer = "ey"
type = "f32"
count = "nx * ny"
fill = "random:2"

[[arguments]]
buffer = "hz"
type = "f32"
count = "nx * ny"
fill = "random:3"

[[arguments]]
scalar = "nx"
type = "i32"

[[arguments]]
scalar = "ny"
type = "i32"
--- */
__global__ void step(float* ex, float* ey, const float* hz, int nx, int ny)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    int i = y * nx + x;
    if (y > 0)
        ex[i] -= 0.5f * (hz[i] - hz[i - nx]);
    if (x > 0)
        ey[i] += 0.5f * (hz[i] - hz[i - 1]);
}
