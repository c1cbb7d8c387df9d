// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "embedding_rows"
title = "Rows of a table by index"
entry = "embed"

[[parameters]]
name = "tokens"
default = 16384
min = 1
max = 1000000

[[parameters]]
name = "vocabulary"
default = 32000
min = 1
max = 1000000

[[parameters]]
name = "dim"
default = 512
min = 4
max = 8192

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[launch]
grid = ["tokens"]
block = ["block"]

[[arguments]]
buffer = "table"
type = "f32"
count = "vocabulary * dim"
fill = "random:1"

[[arguments]]
buffer = "ids"
type = "u32"
count = "tokens"
fill = "random:2"

[[arguments]]
buffer = "out"
type = "f32"
count = "tokens * dim"

[[arguments]]
scalar = "vocabulary"
type = "u32"

[[arguments]]
scalar = "dim"
type = "i32"
--- */
__global__ void embed(const float* table, const unsigned* ids, float* out, unsigned vocabulary, int dim)
{
    const float4* from = (const float4*)(table + (size_t)(ids[blockIdx.x] % vocabulary) * dim);
    float4* to = (float4*)(out + (size_t)blockIdx.x * dim);
    for (int i = threadIdx.x; i < dim / 4; i += blockDim.x)
        to[i] = from[i];
}
