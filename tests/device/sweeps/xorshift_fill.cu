// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "xorshift_fill"
title = "Random numbers, four words a store"
entry = "fill"

[[parameters]]
name = "n"
default = 33554432
min = 128
max = 268435456

[[parameters]]
name = "per"
default = 4
min = 1
max = 64

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(n, 4 * per * block)"]
block = ["block"]

[[arguments]]
buffer = "out"
type = "u32"
count = "n"

[[arguments]]
scalar = "n"
type = "u32"

[[arguments]]
scalar = "seed"
type = "u32"
value = "12345"

[[arguments]]
scalar = "per"
type = "i32"
--- */
__device__ unsigned next(unsigned& s)
{
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}
__global__ void fill(uint4* out, unsigned n, unsigned seed, int per)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    unsigned state = seed + thread * 2654435761u;
    for (int j = 0; j < per; ++j) {
        unsigned i = thread + j * threads;
        if (4 * i + 3 < n)
            out[i] = make_uint4(next(state), next(state), next(state), next(state));
    }
}
