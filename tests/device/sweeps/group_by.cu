// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "group_by"
title = "SELECT key, SUM(value), COUNT(*) GROUP BY key: a hash table a block, then global atomics"
entry = "groupBy<{slots}>"

[[parameters]]
name = "rows"
default = 2000000
min = 1
max = 67108864

[[parameters]]
name = "groups"
default = 300
min = 1
max = 1000000

[[parameters]]
name = "slots"
default = 1024
min = 64
max = 2048
presets = [256, 512, 1024, 2048]

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[legality]]
condition = "slots & (slots - 1) == 0"
parameters = ["slots"]
sentence = "The slots ({slots}) must be a power of two."

[launch]
grid = ["min(264, cdiv(rows, block))"]
block = ["block"]

[[arguments]]
buffer = "keys"
type = "u32"
count = "rows"
fill = "random:1"

[[arguments]]
buffer = "values"
type = "i32"
count = "rows"
fill = "random:2"

[[arguments]]
buffer = "sums"
type = "u64"
count = "groups"

[[arguments]]
buffer = "counts"
type = "u32"
count = "groups"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "groups"
type = "u32"
--- */
constexpr unsigned Empty = 0xffffffffu;

template <int Slots>
__global__ void groupBy(const unsigned* __restrict__ keys, const int* __restrict__ values, unsigned long long* sums, unsigned* counts, int rows,
    unsigned groups)
{
    __shared__ unsigned key[Slots], count[Slots];
    __shared__ unsigned long long sum[Slots];
    for (int i = threadIdx.x; i < Slots; i += blockDim.x) {
        key[i] = Empty;
        count[i] = 0;
        sum[i] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x) {
        const unsigned group = __umulhi(keys[i], groups);
        const long long value = values[i] >> 8;
        unsigned slot = (group * 2654435769u) >> 7 & (Slots - 1);
        bool stored = false;
        for (int probe = 0; probe < 16; ++probe) {
            const unsigned was = atomicCAS(&key[slot], Empty, group);
            if (was == Empty || was == group) {
                atomicAdd(&count[slot], 1u);
                atomicAdd(&sum[slot], (unsigned long long)value);
                stored = true;
                break;
            }
            slot = (slot + 1) & (Slots - 1);
        }
        if (!stored) {
            atomicAdd(counts + group, 1u);
            atomicAdd(sums + group, (unsigned long long)value);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < Slots; i += blockDim.x)
        if (key[i] != Empty) {
            atomicAdd(counts + key[i], count[i]);
            atomicAdd(sums + key[i], sum[i]);
        }
}
