// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "written_only"
title = "Stores of neighbouring values, and nothing else"
entry = "{kind}<{bytes}>"

[[parameters]]
name = "kind"
default = "striding"
choices = [{ value = "striding" }, { value = "once" }, { value = "chunks" }]

[[parameters]]
name = "kib"
default = 65536
min = 64
max = 1048576

[[parameters]]
name = "bytes"
default = 8
choices = [{ value = 1 }, { value = 4 }, { value = 8 }, { value = 16 }]

[[parameters]]
name = "blocks"
default = 1024
min = 1
max = 16777216

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[arguments]]
buffer = "out"
type = "u8"
count = "kib * 1024"

[[arguments]]
scalar = "n"
type = "i32"
value = "kib * 1024 / bytes"

[launch]
grid = ["min(blocks, cdiv(kib * 1024 / bytes, block))"]
block = ["block"]
--- */

template <int Bytes> struct Of;
template <> struct Of<1> { using Type = char; };
template <> struct Of<4> { using Type = float; };
template <> struct Of<8> { using Type = double; };
template <> struct Of<16> { using Type = float4; };
template <int Bytes> using Word = typename Of<Bytes>::Type;

template <typename T> __device__ T value(int i) { return T(i * 37 % 1021); }
template <> __device__ float4 value(int i)
{
    const float x = value<float>(i);
    return { x, x, x, x };
}

template <int Bytes> __global__ void striding(Word<Bytes>* out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = value<Word<Bytes>>(i);
}

template <int Bytes> __global__ void once(Word<Bytes>* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = value<Word<Bytes>>(i);
}

// Each block a part of its own.
template <int Bytes> __global__ void chunks(Word<Bytes>* out, int n)
{
    const int each = (n + gridDim.x - 1) / gridDim.x, first = blockIdx.x * each;
    const int end = min(n, first + each);
    for (int i = first + threadIdx.x; i < end; i += blockDim.x)
        out[i] = value<Word<Bytes>>(i);
}
