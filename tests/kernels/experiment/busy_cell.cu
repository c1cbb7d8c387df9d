// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "busy_cell"
title = "Particles of which half fall into the first cell"
entry = "count"

[[parameters]]
name = "n"
default = 65536
min = 1024
max = 16777216

[[arguments]]
buffer = "position"
type = "f32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "cells"
type = "u32"
count = 65536

[launch]
grid = ["n // 256"]
block = [256]
--- */
__global__ void count(const float* position, unsigned* cells) // positions are -1 to 1
{
    const float x = position[blockIdx.x * blockDim.x + threadIdx.x];
    atomicAdd(&cells[min(max(int(x * 65536), 0), 65535)], 1u);
}
