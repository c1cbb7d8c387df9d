// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "modexp_256"
title = "Powers of numbers of 256 bits in a prime field, windows of two bits of the exponent (Montgomery)"
entry = "power<{planes}>"

[[parameters]]
name = "count"
default = 262144
min = 1
max = 4194304

[[parameters]]
name = "windows"
label = "Pairs of bits of the exponent"
default = 4
min = 1
max = 16

[[parameters]]
name = "planes"
label = "A plane a limb (1) or a record a number (0)"
default = 1
min = 0
max = 1

[[parameters]]
name = "block"
default = 128
min = 32
max = 512

[launch]
grid = ["cdiv(count, block)"]
block = ["block"]

[[arguments]]
buffer = "a"
type = "u32"
count = "8 * count"
fill = "random:1"

[[arguments]]
buffer = "exponent"
type = "u32"
count = "count"
fill = "random:2"

[[arguments]]
buffer = "out"
type = "u32"
count = "8 * count"

[[arguments]]
scalar = "count"
type = "i32"

[[arguments]]
scalar = "windows"
type = "i32"
--- */
#include <stdint.h>

// The prime of the curve BN254.
__constant__ uint32_t prime[8] = {0xd87cfd47u, 0x3c208c16u, 0x6871ca8du, 0x97816a91u, 0x8181585du, 0xb85045b6u, 0xe131a029u, 0x30644e72u};
__constant__ uint32_t one[8] = {0xc58f0d9du, 0xd35d438du, 0xf5c70b3du, 0x0a78eb28u, 0x7879462cu, 0x666ea36fu, 0x9a07df2fu, 0x0e0a77c1u}; // 2^256
__constant__ uint32_t inverse = 0xe4866389u;

struct alignas(16) Number {
    uint32_t limb[8];
};

__device__ void multiply(uint32_t* r, const uint32_t* a, const uint32_t* b)
{
    uint32_t t[10] = {};
#pragma unroll 1
    for (int i = 0; i < 8; ++i) {
        const uint64_t bi = b[i];
        uint64_t carry = 0;
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            const uint64_t x = (uint64_t)a[j] * bi + t[j] + carry;
            t[j] = (uint32_t)x;
            carry = x >> 32;
        }
        uint64_t x = (uint64_t)t[8] + carry;
        t[8] = (uint32_t)x;
        t[9] = (uint32_t)(x >> 32);
        const uint64_t m = t[0] * inverse;
        carry = (m * prime[0] + t[0]) >> 32;
#pragma unroll
        for (int j = 1; j < 8; ++j) {
            x = m * prime[j] + t[j] + carry;
            t[j - 1] = (uint32_t)x;
            carry = x >> 32;
        }
        x = (uint64_t)t[8] + carry;
        t[7] = (uint32_t)x;
        t[8] = t[9] + (uint32_t)(x >> 32);
    }
    uint32_t less[8];
    int64_t borrow = 0;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
        const int64_t d = (int64_t)t[j] - prime[j] + borrow;
        less[j] = (uint32_t)d;
        borrow = d >> 32;
    }
    const bool keep = (int64_t)t[8] + borrow < 0;
#pragma unroll
    for (int j = 0; j < 8; ++j)
        r[j] = keep ? t[j] : less[j];
}

template <int Planes>
__global__ void power(const uint32_t* __restrict__ a, const uint32_t* __restrict__ exponent, uint32_t* __restrict__ out, int count, int windows)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count)
        return;
    Number x, table[4];
    if (Planes) {
#pragma unroll
        for (int j = 0; j < 8; ++j)
            x.limb[j] = a[(size_t)j * count + n];
    } else {
        x = reinterpret_cast<const Number*>(a)[n];
    }
    for (int j = 0; j < 8; ++j)
        table[0].limb[j] = one[j];
    table[1] = x;
    multiply(table[2].limb, x.limb, x.limb);
    multiply(table[3].limb, table[2].limb, x.limb);
    uint32_t bits = exponent[n];
    x = table[bits >> 30];
    for (int w = 1; w < windows; ++w) {
        bits <<= 2;
        multiply(x.limb, x.limb, x.limb);
        multiply(x.limb, x.limb, x.limb);
        multiply(x.limb, x.limb, table[bits >> 30].limb);
    }
    if (Planes) {
#pragma unroll
        for (int j = 0; j < 8; ++j)
            out[(size_t)j * count + n] = x.limb[j];
    } else {
        reinterpret_cast<Number*>(out)[n] = x;
    }
}
