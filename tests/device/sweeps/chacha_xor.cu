// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "chacha_xor"
title = "Stream cipher: 64 bytes of key stream a thread, xored onto the text"
entry = "chachaXor"

[[parameters]]
name = "n"
default = 524288
min = 32
max = 8388608

[[parameters]]
name = "rounds"
default = 20
min = 2
max = 40

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]

[[arguments]]
buffer = "key"
type = "u32"
count = "8"
fill = "random:1"

[[arguments]]
buffer = "text"
type = "u32"
count = "16 * n"
fill = "random:2"

[[arguments]]
buffer = "out"
type = "u32"
count = "16 * n"

[[arguments]]
scalar = "nonce"
type = "u64"
value = "81985529216486895"

[[arguments]]
scalar = "rounds"
type = "i32"

[[arguments]]
scalar = "n"
type = "i32"
--- */
typedef unsigned int word;

__device__ __forceinline__ word turn(word v, int by) { return (v << by) | (v >> (32 - by)); }

__device__ __forceinline__ void quarter(word& a, word& b, word& c, word& d)
{
    a += b; d = turn(d ^ a, 16);
    c += d; b = turn(b ^ c, 12);
    a += b; d = turn(d ^ a, 8);
    c += d; b = turn(b ^ c, 7);
}

__global__ void chachaXor(const word* __restrict__ key, const uint4* __restrict__ text, uint4* __restrict__ out,
    unsigned long long nonce, int rounds, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    word start[16], x[16];
    start[0] = 0x61707865u; start[1] = 0x3320646eu; start[2] = 0x79622d32u; start[3] = 0x6b206574u;
#pragma unroll
    for (int w = 0; w < 8; ++w)
        start[4 + w] = key[w];
    start[12] = (word)i;
    start[13] = 0;
    start[14] = (word)nonce;
    start[15] = (word)(nonce >> 32);
#pragma unroll
    for (int w = 0; w < 16; ++w)
        x[w] = start[w];
    for (int r = 0; r < rounds; r += 2) {
        quarter(x[0], x[4], x[8], x[12]);
        quarter(x[1], x[5], x[9], x[13]);
        quarter(x[2], x[6], x[10], x[14]);
        quarter(x[3], x[7], x[11], x[15]);
        quarter(x[0], x[5], x[10], x[15]);
        quarter(x[1], x[6], x[11], x[12]);
        quarter(x[2], x[7], x[8], x[13]);
        quarter(x[3], x[4], x[9], x[14]);
    }
#pragma unroll
    for (int w = 0; w < 4; ++w) {
        uint4 t = text[4 * (size_t)i + w];
        t.x ^= x[4 * w] + start[4 * w];
        t.y ^= x[4 * w + 1] + start[4 * w + 1];
        t.z ^= x[4 * w + 2] + start[4 * w + 2];
        t.w ^= x[4 * w + 3] + start[4 * w + 3];
        out[4 * (size_t)i + w] = t;
    }
}
