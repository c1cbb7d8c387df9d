// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "colour_cube"
title = "Colours through a cube of 17 x 17 x 17"
entry = "colours"

[[parameters]]
name = "n"
default = 8294400
min = 32
max = 100000000

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "u32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "cube"
type = "u32"
count = "17 * 17 * 17"
fill = "random:2"

[[arguments]]
buffer = "out"
type = "u32"
count = "n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void colours(const unsigned* in, const unsigned* cube, unsigned* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned v = in[i], r = (v & 255) * 16 / 255, g = (v >> 8 & 255) * 16 / 255, b = (v >> 16 & 255) * 16 / 255;
    out[i] = cube[(b * 17 + g) * 17 + r];
}
