// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "radix_partition"
title = "Keys scattered into padded buckets by some of their bits, ranks by warp matches"
entry = "partition<{bits},{per}>"

[[parameters]]
name = "n"
default = 2097152
min = 1024
max = 67108864

[[parameters]]
name = "bits"
default = 6
min = 1
max = 8

[[parameters]]
name = "per"
label = "Keys a thread"
default = 8
min = 1
max = 32

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[legality]]
condition = "n % (block * per) == 0"
parameters = ["n", "block", "per"]
sentence = "The keys ({n}) must be a multiple of those of a block ({block * per})."

[[legality]]
condition = "block % 32 == 0"
parameters = ["block"]
sentence = "Whole warps."

[[legality]]
condition = "2 * block * per >= 1 << bits"
parameters = ["block", "per", "bits"]
sentence = "The buckets of a block would have no room."

[[legality]]
condition = "block // 32 * 4 << bits <= 49152"
parameters = ["block", "bits"]
sentence = "The counters do not fit into 48 KB."

[launch]
grid = ["n // (block * per)"]
block = ["block"]
dynamic_shared = "block // 32 * 4 << bits"

[[arguments]]
buffer = "keys"
type = "u32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "buckets"
type = "u32"
count = "2 * n"

[[arguments]]
buffer = "counts"
type = "u32"
count = "n // (block * per) << bits"

[[arguments]]
scalar = "shift"
type = "i32"
value = "8"

[[arguments]]
scalar = "room"
type = "i32"
value = "2 * block * per >> bits"
--- */
template <int Bits, int Per>
__global__ void partition(const unsigned* __restrict__ keys, unsigned* __restrict__ buckets, unsigned* counts, int shift, int room)
{
    constexpr int kDigits = 1 << Bits;
    extern __shared__ unsigned seen[]; // [warps][kDigits]
    const int lane = threadIdx.x & 31, warps = blockDim.x >> 5;
    unsigned* own = seen + (threadIdx.x >> 5) * kDigits;
    for (int d = lane; d < kDigits; d += 32)
        own[d] = 0;
    __syncwarp();
    const unsigned* from = keys + (size_t)blockIdx.x * blockDim.x * Per + (threadIdx.x >> 5) * 32 * Per + lane;
    unsigned key[Per], rank[Per];
#pragma unroll
    for (int i = 0; i < Per; ++i)
        key[i] = from[i * 32];
#pragma unroll
    for (int i = 0; i < Per; ++i) {
        const unsigned digit = key[i] >> shift & (kDigits - 1);
        const unsigned same = __match_any_sync(0xffffffffu, digit);
        const unsigned before = own[digit];
        rank[i] = before + __popc(same & ((1u << lane) - 1));
        __syncwarp();
        if (lane == 31 - __clz(same))
            own[digit] = before + __popc(same);
        __syncwarp();
    }
    __syncthreads();
    for (int d = threadIdx.x; d < kDigits; d += blockDim.x) {
        unsigned sum = 0;
        for (int w = 0; w < warps; ++w) {
            const unsigned c = seen[w * kDigits + d];
            seen[w * kDigits + d] = sum;
            sum += c;
        }
        counts[(size_t)blockIdx.x * kDigits + d] = sum;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Per; ++i) {
        const unsigned digit = key[i] >> shift & (kDigits - 1), place = own[digit] + rank[i];
        if (place < (unsigned)room)
            buckets[((size_t)digit * gridDim.x + blockIdx.x) * room + place] = key[i];
    }
}
