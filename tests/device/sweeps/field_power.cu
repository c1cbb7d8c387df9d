// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "field_power"
title = "256-bit residues: squared some times and multiplied, limbs of 64 bits in planes"
entry = "fieldPower"

[[parameters]]
name = "n"
default = 1048576
min = 32
max = 8388608

[[parameters]]
name = "squarings"
default = 4
min = 0
max = 256

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]

[[arguments]]
buffer = "a"
type = "u64"
count = "4 * n"
fill = "random:1"

[[arguments]]
buffer = "b"
type = "u64"
count = "4 * n"
fill = "random:2"

[[arguments]]
buffer = "c"
type = "u64"
count = "4 * n"

[[arguments]]
scalar = "squarings"
type = "i32"

[[arguments]]
scalar = "n"
type = "i32"
--- */
using u64 = unsigned long long;

struct Residue {
    u64 limb[4];
};

// acc (three words) += x * y
__device__ inline void accumulate(u64& lo, u64& mid, u64& hi, u64 x, u64 y)
{
    u64 pl = x * y, ph = __umul64hi(x, y);
    lo += pl;
    ph += lo < pl; // at most 2^64 - 2, no overflow
    mid += ph;
    hi += mid < ph;
}

// Product modulo 2^256 - 2^32 - 977.
__device__ Residue multiply(const Residue& a, const Residue& b)
{
    u64 wide[8];
    u64 lo = 0, mid = 0, hi = 0;
#pragma unroll
    for (int k = 0; k < 7; ++k) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (k - i >= 0 && k - i < 4)
                accumulate(lo, mid, hi, a.limb[i], b.limb[k - i]);
        wide[k] = lo;
        lo = mid;
        mid = hi;
        hi = 0;
    }
    wide[7] = lo;
    const u64 fold = 0x1000003d1ull;
    Residue r;
    u64 carry = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        u64 l = wide[4 + i] * fold, h = __umul64hi(wide[4 + i], fold);
        u64 s = wide[i] + carry;
        h += s < carry;
        s += l;
        h += s < l;
        r.limb[i] = s;
        carry = h;
    }
    u64 l = carry * fold, h = __umul64hi(carry, fold);
    r.limb[0] += l;
    u64 c = h + (r.limb[0] < l);
#pragma unroll
    for (int i = 1; i < 4; ++i) {
        r.limb[i] += c;
        c = r.limb[i] < c;
    }
    if (c)
        r.limb[0] += fold;
    return r;
}

__global__ void fieldPower(const u64* a, const u64* b, u64* c, int squarings, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Residue x, y;
    for (int w = 0; w < 4; ++w)
        x.limb[w] = a[(size_t)w * n + i];
    for (int w = 0; w < 4; ++w)
        y.limb[w] = b[(size_t)w * n + i];
#pragma unroll 1
    for (int s = 0; s < squarings; ++s)
        x = multiply(x, x);
    x = multiply(x, y);
    for (int w = 0; w < 4; ++w)
        c[(size_t)w * n + i] = x.limb[w];
}
