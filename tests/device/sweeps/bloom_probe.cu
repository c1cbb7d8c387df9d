// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "bloom_probe"
title = "Keys looked up in a Bloom filter, plain or within one sector, an answer a bit"
entry = "probe"

[[parameters]]
name = "keys"
default = 2097152
min = 32
max = 33554432

[[parameters]]
name = "log_words"
label = "Logarithm of the words"
default = 20
min = 10
max = 27

[[parameters]]
name = "hashes"
default = 4
min = 1
max = 12

[[parameters]]
name = "layout"
default = "plain"
choices = [{ value = "plain", define = "0" }, { value = "blocked", define = "1" }]
define = "BLOCKED"

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[legality]]
condition = "keys % 32 == 0 and block % 32 == 0"
parameters = ["keys", "block"]
sentence = "Whole warps."

[launch]
grid = ["cdiv(keys, block)"]
block = ["block"]

[[arguments]]
buffer = "key"
type = "u32"
count = "keys"
fill = "random:1"

[[arguments]]
buffer = "filter"
type = "u32"
count = "1 << log_words"
fill = "random:2"

[[arguments]]
buffer = "answer"
type = "u32"
count = "keys // 32"

[[arguments]]
scalar = "keys"
type = "i32"

[[arguments]]
scalar = "mask"
type = "u32"
value = "(1 << log_words) - 1"

[[arguments]]
scalar = "hashes"
type = "i32"
--- */
__device__ unsigned mixed(unsigned h)
{
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    return h ^ h >> 16;
}

__global__ void probe(const unsigned* __restrict__ key, const unsigned* __restrict__ filter, unsigned* answer, int keys,
    unsigned mask, int hashes)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= keys)
        return;
    const unsigned h = mixed(key[i]), g = mixed(h ^ 0x9e3779b9u) | 1;
    const unsigned base = h & mask & ~7u;
    bool in = true;
    for (int n = 0; in && n < hashes; ++n) {
        const unsigned f = h + (n + 1) * g;
        const unsigned word = BLOCKED ? base + (f >> 5 & 7) : f >> 5 & mask;
        in = filter[word] >> (f & 31) & 1;
    }
    const unsigned all = __ballot_sync(0xffffffffu, in);
    if ((threadIdx.x & 31) == 0)
        answer[i >> 5] = all;
}
