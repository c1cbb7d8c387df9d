// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "structure_fields"
title = "Structures that are written field by field"
entry = "{kind}<{fields},{words}>"

[[parameters]]
name = "kind"
default = "put"
choices = [{ value = "put" }, { value = "update" }, { value = "quads" }, { value = "pairs" }]

[[parameters]]
name = "fields"
default = 3
min = 1
max = 32

[[parameters]]
name = "words"
default = 8
min = 1
max = 32

[[parameters]]
name = "n"
default = 1048576
min = 1024
max = 16777216

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[arguments]]
buffer = "p"
type = "f32"
count = "n * 32"

[[arguments]]
scalar = "n"
type = "i32"

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]
--- */

// `fields` words of structures of `words` words, in an order of which no vectors come.
template <int F, int S> __global__ void put(float* p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = i * 0.5f;
#pragma unroll
    for (int j = 0; j < F; ++j) p[i * S + 2 * j % F] = v + j; // another order: no vectors
}

// The same, in place.
template <int F, int S> __global__ void update(float* p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float m = p[i * S + S - 1];
#pragma unroll
    for (int j = 0; j < F; ++j) p[i * S + j] -= m * (j + 2.5f);
}

// Of 16 and of 8 bytes.
template <int F, int Q> __global__ void quads(float4* p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = i * 0.5f;
#pragma unroll
    for (int j = 0; j < F; ++j) p[i * Q + j] = make_float4(v, v + j, v, j);
}

template <int F, int Q> __global__ void pairs(float2* p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = i * 0.5f;
#pragma unroll
    for (int j = 0; j < F; ++j) p[i * Q + j] = make_float2(v, v + j);
}
