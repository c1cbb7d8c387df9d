// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "table_lookups"
title = "Many lookups a thread in a table of 4 MiB"
entry = "lookups"

[[parameters]]
name = "turns"
default = 256
min = 1
max = 1024

[launch]
grid = [1056]
block = [256]

[[arguments]]
buffer = "keys"
type = "u32"
count = "270336"
fill = "random:1"

[[arguments]]
buffer = "table"
type = "f32"
count = "1048576"
fill = "random:2"

[[arguments]]
buffer = "sums"
type = "f32"
count = "270336"

[[arguments]]
scalar = "turns"
type = "i32"
--- */
extern "C" __global__ void lookups(const unsigned* __restrict__ keys, const float* __restrict__ table, float* sums, int turns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned key = keys[i];
    float sum = 0;
    for (int t = 0; t < turns; ++t) {
        key = key * 1664525u + 1013904223u;
        sum += table[key >> 12];
    }
    sums[i] = sum;
}
