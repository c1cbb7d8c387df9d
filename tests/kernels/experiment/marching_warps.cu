// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "marching_warps"
title = "Warps that march through memory and wait for several lines in each turn"
entry = "march"

[[parameters]]
name = "lines"
define = "LINES"
default = 4
min = 1
max = 64

[[parameters]]
name = "threads"
define = "THREADS"
default = 256
min = 32
max = 1024

[[parameters]]
name = "blocks"
default = 132
min = 1
max = 65536

[[parameters]]
name = "stride"
define = "STRIDE"
default = 1
min = 1
max = 64

[launch]
grid = ["blocks"]
block = ["threads"]

[[arguments]]
buffer = "a"
type = "f32"
count = "lines * blocks * threads * stride * 96"

[[arguments]]
buffer = "out"
type = "f32"
count = "blocks * threads"

[[arguments]]
scalar = "turns"
type = "i32"
value = 96

[[arguments]]
scalar = "pitch"
type = "i32"
value = "blocks * threads * stride * 96"
--- */
__global__ void march(const float* __restrict__ a, float* out, int turns, int pitch)
{
    const int total = gridDim.x * THREADS, i = blockIdx.x * THREADS + threadIdx.x;
    float sum = 0;
    long long at = i;
    for (int t = 0; t < turns; ++t) {
        float v = 0;
#pragma unroll
        for (int k = 0; k < LINES; ++k)
            v += a[(long long)k * pitch + at];
        sum += v;
        at += (long long)total * STRIDE + (v == 12345.0f); // never: the next turn waits
    }
    out[i] = sum;
}
