// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "byte_counts"
title = "Most frequent byte and entropy of many short records, counters of a byte per thread"
entry = "profile<{bins}>"

[[parameters]]
name = "records"
default = 131072
min = 32
max = 4194304

[[parameters]]
name = "words"
label = "Words of a record"
default = 24
min = 1
max = 63

[[parameters]]
name = "bins"
default = 64
min = 4
max = 256

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[[legality]]
condition = "bins & (bins - 1) == 0"
parameters = ["bins"]
sentence = "The bins ({bins}) must be a power of two."

[launch]
grid = ["cdiv(records, block)"]
block = ["block"]

[[arguments]]
buffer = "data"
type = "u32"
count = "records * words"
fill = "random:1"

[[arguments]]
buffer = "mode"
type = "u8"
count = "records"

[[arguments]]
buffer = "entropy"
type = "f32"
count = "records"

[[arguments]]
scalar = "records"
type = "i32"

[[arguments]]
scalar = "words"
type = "i32"
--- */
template <int Bins>
__global__ void profile(const unsigned* __restrict__ data, unsigned char* mode, float* entropy, int records, int words)
{
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= records)
        return;
    unsigned char count[Bins]; // a record has at most 252 bytes
    for (int i = 0; i < Bins; ++i)
        count[i] = 0;
    for (int w = 0; w < words; ++w) {
        const unsigned v = data[(size_t)w * records + r];
        ++count[v % Bins];
        ++count[(v >> 8) % Bins];
        ++count[(v >> 16) % Bins];
        ++count[(v >> 24) % Bins];
    }
    int best = 0, most = 0;
    float sum = 0;
    const float scale = 1.0f / (4 * words);
    for (int i = 0; i < Bins; ++i) {
        const int c = count[i];
        if (c > most) {
            most = c;
            best = i;
        }
        if (c)
            sum -= c * scale * __log2f(c * scale);
    }
    mode[r] = best;
    entropy[r] = sum;
}
