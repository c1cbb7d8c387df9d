// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "aes_ctr"
title = "AES-128 in counter mode, tables of words in shared memory"
entry = "counterMode<{tables}>"

[[parameters]]
name = "count"
label = "Blocks of 16 bytes"
default = 1048576
min = 1
max = 16777216

[[parameters]]
name = "grid"
label = "Thread blocks"
default = 264
min = 1
max = 65535

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[parameters]]
name = "tables"
default = 4
min = 1
max = 4
presets = [1, 4]

[[legality]]
condition = "tables == 1 or tables == 4"
parameters = ["tables"]
sentence = "One table that is rotated, or four."

[launch]
grid = ["grid"]
block = ["block"]

[[arguments]]
buffer = "table"
type = "u32"
count = "1024"
fill = "random:1"

[[arguments]]
buffer = "keys"
type = "u32"
count = "44"
fill = "random:2"

[[arguments]]
buffer = "in"
type = "u32"
count = "4 * count"
fill = "random:3"

[[arguments]]
buffer = "out"
type = "u32"
count = "4 * count"

[[arguments]]
scalar = "count"
type = "u32"

[[arguments]]
scalar = "nonce"
type = "u64"
value = 81985529216486895
--- */
__device__ __forceinline__ unsigned byteOf(unsigned x, int i)
{
    return (x >> (8 * i)) & 0xffu;
}

template <int Tables> __device__ __forceinline__ unsigned look(const unsigned (&t)[Tables][256], int which, unsigned at)
{
    if (Tables == 4)
        return t[which % Tables][at];
    const unsigned v = t[0][at];
    return which ? __funnelshift_l(v, v, 8 * which) : v;
}

template <int Tables>
__global__ void __launch_bounds__(1024) counterMode(const unsigned* __restrict__ table, const unsigned* __restrict__ keys,
    const uint4* __restrict__ in, uint4* __restrict__ out, unsigned count, unsigned long long nonce)
{
    __shared__ unsigned t[Tables][256];
    __shared__ unsigned key[44];
    for (int i = threadIdx.x; i < Tables * 256; i += blockDim.x)
        t[i >> 8][i & 255] = table[i];
    for (int i = threadIdx.x; i < 44; i += blockDim.x)
        key[i] = keys[i];
    __syncthreads();

    for (unsigned b = blockIdx.x * blockDim.x + threadIdx.x; b < count; b += gridDim.x * blockDim.x) {
        unsigned s0 = (unsigned)nonce ^ key[0], s1 = (unsigned)(nonce >> 32) ^ key[1], s2 = key[2], s3 = __byte_perm(b, 0, 0x0123) ^ key[3];
#pragma unroll 3
        for (int r = 1; r < 10; ++r) {
            const unsigned* k = key + 4 * r;
            const unsigned a0 = look<Tables>(t, 0, byteOf(s0, 0)) ^ look<Tables>(t, 1, byteOf(s1, 1)) ^ look<Tables>(t, 2, byteOf(s2, 2)) ^ look<Tables>(t, 3, byteOf(s3, 3)) ^ k[0];
            const unsigned a1 = look<Tables>(t, 0, byteOf(s1, 0)) ^ look<Tables>(t, 1, byteOf(s2, 1)) ^ look<Tables>(t, 2, byteOf(s3, 2)) ^ look<Tables>(t, 3, byteOf(s0, 3)) ^ k[1];
            const unsigned a2 = look<Tables>(t, 0, byteOf(s2, 0)) ^ look<Tables>(t, 1, byteOf(s3, 1)) ^ look<Tables>(t, 2, byteOf(s0, 2)) ^ look<Tables>(t, 3, byteOf(s1, 3)) ^ k[2];
            const unsigned a3 = look<Tables>(t, 0, byteOf(s3, 0)) ^ look<Tables>(t, 1, byteOf(s0, 1)) ^ look<Tables>(t, 2, byteOf(s1, 2)) ^ look<Tables>(t, 3, byteOf(s2, 3)) ^ k[3];
            s0 = a0;
            s1 = a1;
            s2 = a2;
            s3 = a3;
        }
        const unsigned s[4] = {s0, s1, s2, s3};
        unsigned last[4];
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            unsigned v = 0;
#pragma unroll
            for (int i = 0; i < 4; ++i)
                v |= ((t[0][byteOf(s[(c + i) & 3], i)] >> 8) & 0xffu) << (8 * i);
            last[c] = v ^ key[40 + c];
        }
        const uint4 plain = in[b];
        out[b] = make_uint4(plain.x ^ last[0], plain.y ^ last[1], plain.z ^ last[2], plain.w ^ last[3]);
    }
}
