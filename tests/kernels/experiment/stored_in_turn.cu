// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "stored_in_turn"
title = "Structures that each thread stores word by word"
entry = "{kind}<{a},{b},{c},{d},{reads}>"

[[parameters]]
name = "kind"
default = "after"
choices = [{ value = "after" }, { value = "turns" }, { value = "pairs" }, { value = "quads" }, { value = "loops" }, { value = "copies" }]

[[parameters]]
name = "a"
default = 3
min = 1
max = 16

[[parameters]]
name = "b"
default = 0
min = 0
max = 16

[[parameters]]
name = "c"
default = 0
min = 0
max = 16

[[parameters]]
name = "d"
default = 0
min = 0
max = 16

[[parameters]]
name = "reads"
default = 0
min = 0
max = 1

[[parameters]]
name = "n"
default = 1048576
min = 1024
max = 1048576

[[parameters]]
name = "threads"
default = 1048576
min = 1024
max = 1048576

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[arguments]]
buffer = "p0"
type = "u32"
count = "n * 16"

[[arguments]]
buffer = "p1"
type = "u32"
count = "n * 16"

[[arguments]]
buffer = "p2"
type = "u32"
count = "n * 16"

[[arguments]]
buffer = "p3"
type = "u32"
count = "n * 16"

[[arguments]]
buffer = "in"
type = "u32"
count = "n"

[[arguments]]
scalar = "n"
type = "u32"

[launch]
grid = ["cdiv(threads, block)"]
block = ["block"]
--- */

using u32 = unsigned;

// Stores and loads that stay in this order and form no vectors.
__device__ __forceinline__ void put(u32* p, u32 v)
{
    asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__device__ __forceinline__ u32 get(const u32* p)
{
    u32 v;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}

template <int W> __device__ __forceinline__ void putAll(u32* p, u32 i, u32 v)
{
#pragma unroll
    for (int w = 0; w < W; ++w) put(p + size_t(i) * W + w, v + w);
}

// Structures of a, b, c and d words, one after the other.
template <int A, int B, int C, int D, int READS> __global__ void after(u32* p0, u32* p1, u32* p2, u32* p3, const u32* in, u32 n)
{
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const u32 v = READS ? get(in + i) : i;
    putAll<A>(p0, i, v);
    putAll<B>(p1, i, v + 1);
    putAll<C>(p2, i, v + 2);
    putAll<D>(p3, i, v + 3);
}

// b structures of a words, a word of each in turn.
template <int A, int B, int C, int D, int READS> __global__ void turns(u32* p0, u32* p1, u32* p2, u32* p3, const u32* in, u32 n)
{
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const u32 v = READS ? get(in + i) : i;
    u32* const p[4] = {p0, p1, p2, p3};
#pragma unroll
    for (int w = 0; w < A; ++w)
#pragma unroll
        for (int k = 0; k < B; ++k) put(p[k] + size_t(i) * A + w, v + w * B + k);
}

template <int A, int B, int C, int D, int READS> __global__ void pairs(u32* p0, u32* p1, u32* p2, u32* p3, const u32* in, u32 n)
{
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const u32 v = READS ? get(in + i) : i;
#pragma unroll
    for (int w = 0; w < A; ++w)
        asm volatile("st.global.v2.u32 [%0], {%1, %1};" ::"l"(p0 + 2 * (size_t(i) * A + w)), "r"(v + w) : "memory");
}

template <int A, int B, int C, int D, int READS> __global__ void quads(u32* p0, u32* p1, u32* p2, u32* p3, const u32* in, u32 n)
{
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const u32 v = READS ? get(in + i) : i;
#pragma unroll
    for (int w = 0; w < A; ++w)
        asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(p0 + 4 * (size_t(i) * A + w)), "r"(v + w) : "memory");
}

// By a grid that fills the GPU once.
template <int A, int B, int C, int D, int READS> __global__ void loops(u32* p0, u32* p1, u32* p2, u32* p3, const u32* in, u32 n)
{
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        putAll<A>(p0, i, READS ? get(in + i) : i);
}

// Each word as it was read elsewhere.
template <int A, int B, int C, int D, int READS> __global__ void copies(u32* p0, u32* p1, u32* p2, u32* p3, const u32* in, u32 n)
{
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u32 v[A];
#pragma unroll
    for (int w = 0; w < A; ++w) v[w] = get(p1 + size_t(i) * A + w);
#pragma unroll
    for (int w = 0; w < A; ++w) put(p0 + size_t(i) * A + w, v[w]);
}
