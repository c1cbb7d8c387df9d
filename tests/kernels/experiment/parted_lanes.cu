// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "parted_lanes"
title = "Few warps whose lanes divide, go different ways and read what others have just read"
entry = "meet"

[[parameters]]
name = "work"
define = "WORK"
default = "pairs"
choices = [
    { value = "pairs", define = "0" }, { value = "all_pairs", define = "1" }, { value = "multiplied_pairs", define = "2" },
    { value = "gathered", define = "3" }, { value = "next", define = "4" }, { value = "next_divided", define = "5" },
    { value = "divided", define = "6" }, { value = "multiplied", define = "7" }, { value = "parted", define = "8" },
    { value = "search", define = "9" }, { value = "count", define = "10" }, { value = "near_count", define = "11" },
    { value = "near_search", define = "12" },
]

[[parameters]]
name = "threads"
define = "THREADS"
default = 128
min = 32
max = 1024

[[parameters]]
name = "blocks"
default = 16
min = 1
max = 1024

[launch]
grid = ["blocks"]
block = ["threads"]

[[arguments]]
buffer = "places"
type = "f32"
count = "4 * blocks * threads + 4 * 2048"
fill = "random:1:0.0:13.0"

[[arguments]]
buffer = "list"
type = "i32"
count = "64 * blocks * threads"
fill = "random:2:0:512"

[[arguments]]
buffer = "starts"
type = "i32"
count = 17
fill = "iota:0:32"

[[arguments]]
buffer = "found"
type = "i32"
count = "64 * blocks * threads"

[[arguments]]
buffer = "sums"
type = "f32"
count = "4 * blocks * threads"

[[arguments]]
scalar = "total"
type = "i32"
value = "blocks * threads"

[[arguments]]
scalar = "turns"
type = "i32"
value = 64

[[arguments]]
scalar = "side"
type = "f32"
value = 13.0

[[arguments]]
scalar = "cutoff"
type = "f32"
value = 30.0
--- */
__device__ float nearest(float d, float side)
{
#if WORK == 2 || WORK == 7 || WORK == 8 || WORK == 11 || WORK == 12
    return d - side * rintf(d * 0.07692308f);
#else
    return d - side * rintf(d / side);
#endif
}

__device__ void attract(float4& sum, float x, float y, float z, float square)
{
    const float inverse = 1.0f / square, sixth = inverse * inverse * inverse;
    const float strength = 24.0f * sixth * (2.0f * sixth - 1.0f) * inverse;
    sum.x += strength * x;
    sum.y += strength * y;
    sum.z += strength * z;
    sum.w += 2.0f * sixth * (sixth - 1.0f);
}

__global__ void meet(const float4* __restrict__ places, const int* __restrict__ list, const int* __restrict__ starts,
    int* __restrict__ found, float4* __restrict__ sums, int total, int turns, float side, float cutoff)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const float4 own = places[i];
    float4 sum = make_float4(0.1f, 0.2f, 0.3f, 0.4f);
#if WORK < 9
    for (int t = 0; t < turns; ++t) {
#if WORK < 4
        const float4 other = __ldg(&places[list[t * total + i]]);
#elif WORK < 6
        const float4 other = places[i + t * 7];
#else
        const float4 other = make_float4(0.37f * sum.x + 0.61f * t, 0.43f * sum.y + 1.7f, 0.41f * sum.z + 2.3f, 0.0f);
#endif
#if WORK == 3 || WORK == 4
        sum.x += other.x;
        sum.y += other.y;
        sum.z += other.z;
#else
        const float x = nearest(own.x - other.x, side), y = nearest(own.y - other.y, side), z = nearest(own.z - other.z, side);
        const float square = x * x + y * y + z * z;
#if WORK == 5 || WORK == 6 || WORK == 7
        sum.x += x;
        sum.y += y;
        sum.z += square * 0.01f;
#elif WORK == 1
        attract(sum, x, y, z, square);
#else
        if (square < cutoff)
            attract(sum, x, y, z, square);
#endif
#endif
    }
#else
    int count = 0;
    for (int c = 0; c < 16; ++c)
        for (int j = starts[c]; j < starts[c + 1]; ++j) {
            if (WORK == 9 && j == i)
                continue;
            const float4 other = places[j];
            const float x = nearest(own.x - other.x, side), y = nearest(own.y - other.y, side), z = nearest(own.z - other.z, side);
            if (x * x + y * y + z * z < 0.2f * cutoff) {
#if WORK == 9 || WORK == 12
                if (count < 64)
                    found[count++ * total + i] = j;
#else
                ++count;
#endif
            }
        }
    sum.x = count;
#endif
    sums[i] = sum;
}
