// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "bit_reverse"
title = "Elements to the places of their reversed bits"
entry = "permute"

[[parameters]]
name = "bits"
default = 22
min = 5
max = 26

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(1 << bits, block)"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "f32"
count = "2 * (1 << bits)"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "2 * (1 << bits)"

[[arguments]]
scalar = "bits"
type = "i32"
--- */
__global__ void permute(const float2* in, float2* out, int bits)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1u << bits)
        out[__brev(i) >> (32 - bits)] = in[i];
}
