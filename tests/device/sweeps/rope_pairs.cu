// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "rope_pairs"
title = "Rotary embedding of heads, pairs half a head apart, in place"
entry = "rope"

[[parameters]]
name = "tokens"
default = 4096
min = 1
max = 65536

[[parameters]]
name = "heads"
default = 16
min = 1
max = 128

[[parameters]]
name = "dim"
default = 128
min = 16
max = 512

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[launch]
grid = ["cdiv(tokens * heads * dim // 2, block)"]
block = ["block"]

[[arguments]]
buffer = "q"
type = "f32"
count = "tokens * heads * dim"
fill = "random:1"

[[arguments]]
buffer = "cosines"
type = "f32"
count = "tokens * dim // 2"
fill = "random:2"

[[arguments]]
buffer = "sines"
type = "f32"
count = "tokens * dim // 2"
fill = "random:3"

[[arguments]]
scalar = "tokens"
type = "i32"

[[arguments]]
scalar = "heads"
type = "i32"

[[arguments]]
scalar = "dim"
type = "i32"
--- */
__global__ void rope(float* q, const float* cosines, const float* sines, int tokens, int heads, int dim)
{
    int half = dim / 2, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= tokens * heads * half)
        return;
    int d = i % half, head = i / half % heads, token = i / half / heads;
    float* row = q + (token * heads + head) * dim;
    float c = cosines[token * half + d], s = sines[token * half + d];
    float a = row[d], b = row[d + half];
    row[d] = a * c - b * s;
    row[d + half] = a * s + b * c;
}
