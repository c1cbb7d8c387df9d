// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "bitonic_step"
title = "One step of a bitonic sort"
entry = "bitonic"

[[parameters]]
name = "n"
default = 8388608
min = 1024
max = 134217728

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[parameters]]
name = "j"
default = 1024
min = 1
max = 67108864

[launch]
grid = ["n // block"]
block = ["block"]

[[arguments]]
buffer = "keys"
type = "i32"
count = "n"
fill = "random:1"

[[arguments]]
scalar = "j"
type = "i32"
--- */
__global__ void bitonic(int* keys, int j)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
    if (other > i) {
        int a = keys[i], b = keys[other];
        keys[i] = min(a, b);
        keys[other] = max(a, b);
    }
}
