// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "atomic_chains"
title = "Chains of atomics, each of which waits for what the one before has found"
entry = "chain"

[[parameters]]
name = "atomic"
define = "SWAPS"
default = "add"
choices = [{ value = "add", define = "0" }, { value = "swap", define = "1" }]

[[parameters]]
name = "threads"
define = "THREADS"
default = 256
min = 32
max = 1024

[[parameters]]
name = "lanes"
define = "LANES"
default = 32
min = 1
max = 32

[launch]
grid = [132]
block = ["threads"]

[[arguments]]
buffer = "table"
type = "u32"
count = 1048576

[[arguments]]
buffer = "out"
type = "u32"
count = "132 * threads"

[[arguments]]
scalar = "turns"
type = "i32"
value = 64

[[arguments]]
scalar = "mask"
type = "u32"
value = 1048575
--- */
__global__ void chain(unsigned* table, unsigned* out, int turns, unsigned mask)
{
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (threadIdx.x % 32 >= LANES)
        return;
    unsigned at = i * 2654435761u, sum = 0;
    for (int t = 0; t < turns; ++t) {
        unsigned* const place = &table[(at >> 7) & mask];
        const unsigned old = SWAPS ? atomicCAS(place, 0xffffffffu, i) : atomicAdd(place, 1u);
        at = at * 1664525u + 1013904223u + (old == 0xfffffffeu);
        sum += old;
    }
    out[i] = sum;
}
