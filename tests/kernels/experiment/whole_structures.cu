// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "whole_structures"
title = "Structures that one thread writes whole, word by word"
entry = "{order}<{word},{words}>"

[[parameters]]
name = "order"
default = "ascending"
choices = [{ value = "ascending" }, { value = "alternating" }]

[[parameters]]
name = "word"
default = "float4"
choices = [{ value = "float" }, { value = "float2" }, { value = "float4" }]

[[parameters]]
name = "words"
default = 8
min = 2
max = 32

[[parameters]]
name = "n"
default = 524288
min = 1024
max = 16777216

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[arguments]]
buffer = "out"
type = "f32"
count = "n * words * 4"

[[arguments]]
scalar = "n"
type = "i32"

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]
--- */

__device__ void put(float* p, float v, int k) { *p = v + k; }
__device__ void put(float2* p, float v, int k) { *p = make_float2(v, v + k); }
__device__ void put(float4* p, float v, int k) { *p = make_float4(v, v + 1, v + 2, v + k); }

template <class Word, int Words> __global__ void ascending(Word* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Word* p = out + size_t(i) * Words;
#pragma unroll
    for (int k = 0; k < Words; ++k)
        put(p + k, i, k);
}

// Every second word first.
template <class Word, int Words> __global__ void alternating(Word* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Word* p = out + size_t(i) * Words;
#pragma unroll
    for (int k = 0; k < Words; k += 2)
        put(p + k, i, k);
#pragma unroll
    for (int k = 1; k < Words; k += 2)
        put(p + k, i, k);
}
