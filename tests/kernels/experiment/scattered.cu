// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "scattered"
title = "Values moved to places all over a buffer"
entry = "{kind}<{bytes}>"

[[parameters]]
name = "kind"
default = "scatter"
choices = [{ value = "scatter" }, { value = "gather" }, { value = "shuffle" }, { value = "draw" }]

[[parameters]]
name = "bytes"
default = 8
choices = [{ value = 4 }, { value = 8 }, { value = 16 }]

[[parameters]]
name = "n"
default = 8388608
min = 4096
max = 33554432

[[parameters]]
name = "factor"
default = 81007
min = 1
max = 2147483647

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[arguments]]
buffer = "out"
type = "u8"
count = "bytes * n"

[[arguments]]
buffer = "in"
type = "u8"
count = "bytes * n"

[[arguments]]
scalar = "n"
type = "u32"

[[arguments]]
scalar = "factor"
type = "u32"

[launch]
grid = ["n / block"]
block = ["block"]
--- */

template <int Bytes> struct Of;
template <> struct Of<4> { using Type = int; };
template <> struct Of<8> { using Type = int2; };
template <> struct Of<16> { using Type = int4; };
template <int Bytes> using Word = typename Of<Bytes>::Type;

// By steps of one length.
template <int Bytes> __global__ void scatter(Word<Bytes>* out, const Word<Bytes>* in, unsigned n, unsigned factor)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[(i * factor + 777) & (n - 1)] = in[i];
}

template <int Bytes> __global__ void gather(Word<Bytes>* out, const Word<Bytes>* in, unsigned n, unsigned factor)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[(i * factor + 777) & (n - 1)];
}

// A permutation without steps.
__device__ unsigned place(unsigned i, unsigned n, unsigned factor)
{
    const unsigned mask = n - 1;
    i = (i * factor + 777) & mask;
    i ^= i >> (11);
    i = (i * 0x9E3779B1u) & mask;
    i ^= i >> (11);
    return (i * 0x85EBCA6Bu) & mask;
}

template <int Bytes> __global__ void shuffle(Word<Bytes>* out, const Word<Bytes>* in, unsigned n, unsigned factor)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[place(i, n, factor)] = in[i];
}

template <int Bytes> __global__ void draw(Word<Bytes>* out, const Word<Bytes>* in, unsigned n, unsigned factor)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[place(i, n, factor)];
}
