// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "scatter_values"
title = "Values written where an index says, about each place once"
entry = "scatter"

[[parameters]]
name = "n"
default = 4194304
min = 32
max = 100000000

[[parameters]]
name = "spread"
default = 4096
min = 1
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
buffer = "index"
type = "u32"
count = "n"
fill = "random:4"

[[arguments]]
buffer = "x"
type = "f32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "y"
type = "f32"
count = "n"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "spread"
type = "i32"
--- */
__global__ void scatter(const unsigned* index, const float* x, float* y, int n, int spread)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[(i / spread * spread + index[i] % spread) % n] = x[i];
}
