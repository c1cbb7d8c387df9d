// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "constant_tables"
title = "Tables in constant memory that each lane asks for an entry of its own"
entry = "{kind}<{stride},{lanes}>"

[[parameters]]
name = "kind"
default = "apart"
choices = [{ value = "apart" }, { value = "chained" }, { value = "drawn" }]

[[parameters]]
name = "stride"
default = 1
min = 0
max = 256

[[parameters]]
name = "lanes"
default = 32
min = 1
max = 32

[[parameters]]
name = "entries"
default = 256
min = 32
max = 8192

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[[parameters]]
name = "blocks"
default = 132
min = 1
max = 2112

[[arguments]]
buffer = "out"
type = "u32"
count = "blocks * block"

[[arguments]]
scalar = "mask"
type = "u32"
value = "entries - 1"

[[arguments]]
scalar = "turns"
type = "i32"
value = 512

[launch]
grid = ["blocks"]
block = ["block"]
--- */

__constant__ unsigned kTable[8192];

// Neighbouring groups of lanes ask for entries so far apart; the next load does not need what this one found.
template <int Stride, int Lanes> __global__ void apart(unsigned* out, unsigned mask, int turns)
{
    const unsigned lane = threadIdx.x % 32 % Lanes;
    unsigned sum = 0;
    for (int i = 0; i < turns; ++i)
        sum += kTable[(lane * Stride + i * 5) & mask];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// It does: the table holds zeros.
template <int Stride, int Lanes> __global__ void chained(unsigned* out, unsigned mask, int turns)
{
    const unsigned lane = threadIdx.x % 32 % Lanes;
    unsigned at = lane * Stride;
    for (int i = 0; i < turns; ++i)
        at = ((kTable[at & mask] >> 8) ^ (at + 5));
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

template <int Stride, int Lanes> __global__ void drawn(unsigned* out, unsigned mask, int turns)
{
    unsigned at = (threadIdx.x % 32 % Lanes + 1) * 2654435761u, sum = 0;
    for (int i = 0; i < turns; ++i) {
        at = at * 1664525u + 1013904223u;
        sum += kTable[(at >> 16) & mask];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
