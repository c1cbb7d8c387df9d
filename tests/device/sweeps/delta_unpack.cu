// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "delta_unpack"
title = "Columns of a database: differences of as many bits as a frame needs, unpacked and summed up, a warp a frame"
entry = "unpack<{each}>"

[[parameters]]
name = "frames"
default = 40000
min = 1
max = 4194304

[[parameters]]
name = "widest"
label = "Bits at most"
default = 14
min = 1
max = 31

[[parameters]]
name = "each"
label = "Values a lane"
default = 4
min = 4
max = 8
presets = [4, 8]

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[[legality]]
condition = "each % 4 == 0"
parameters = ["each"]
sentence = "By fours."

[[legality]]
condition = "block % 32 == 0"
parameters = ["block"]
sentence = "Whole warps."

[launch]
grid = ["cdiv(frames * 32, block)"]
block = ["block"]

[[arguments]]
buffer = "heads"
type = "u32"
count = "2 * frames"
fill = "random:1"

[[arguments]]
buffer = "packed"
type = "u32"
count = "frames * each * widest + 1"
fill = "random:2"

[[arguments]]
buffer = "values"
type = "u32"
count = "frames * each * 32"

[[arguments]]
scalar = "frames"
type = "i32"

[[arguments]]
scalar = "widest"
type = "i32"
--- */
struct alignas(8) Head {
    unsigned base;
    unsigned char bits, unused[3];
};

template <int Each>
__global__ void unpack(const Head* __restrict__ heads, const unsigned* __restrict__ packed, uint4* __restrict__ values, int frames, int widest)
{
    const int frame = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    if (frame >= frames)
        return;
    const Head head = heads[frame];
    const int bits = head.bits % (widest + 1);
    const unsigned* words = packed + (size_t)frame * Each * widest;
    unsigned v[Each];
    if (bits == 0) { // all alike
#pragma unroll
        for (int i = 0; i < Each; ++i)
            v[i] = 0;
    } else {
        const unsigned mask = (1u << bits) - 1;
#pragma unroll
        for (int i = 0; i < Each; ++i) {
            const int from = (lane * Each + i) * bits;
            const unsigned low = words[from >> 5], high = words[(from >> 5) + 1];
            v[i] = __funnelshift_r(low, high, from & 31) & mask;
        }
    }
#pragma unroll
    for (int i = 1; i < Each; ++i)
        v[i] += v[i - 1];
    unsigned sum = v[Each - 1];
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        const unsigned other = __shfl_up_sync(0xffffffffu, sum, d);
        if (lane >= d)
            sum += other;
    }
    const unsigned before = head.base + sum - v[Each - 1];
#pragma unroll
    for (int i = 0; i < Each; i += 4)
        values[((size_t)frame * 32 + lane) * (Each / 4) + i / 4] = make_uint4(before + v[i], before + v[i + 1], before + v[i + 2], before + v[i + 3]);
}
