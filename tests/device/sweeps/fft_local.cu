// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "fft_local"
title = "Power spectra of short signals, a transform a thread in an array of its own"
entry = "spectrum"

[[parameters]]
name = "batch"
default = 262144
min = 32
max = 1048576

[[parameters]]
name = "n"
default = 32
min = 4
max = 64

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[[legality]]
condition = "n & (n - 1) == 0"
parameters = ["n"]
sentence = "The length ({n}) must be a power of two."

[launch]
grid = ["cdiv(batch, block)"]
block = ["block"]

[[arguments]]
buffer = "signal"
type = "f32"
count = "2 * batch * n"
fill = "random:1"

[[arguments]]
buffer = "power"
type = "f32"
count = "batch * n"

[[arguments]]
scalar = "batch"
type = "i32"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void spectrum(const float2* __restrict__ signal, float* __restrict__ power, int batch, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= batch)
        return;
    float2 v[64];
    const int shift = __clz(n) + 1; // n = 1 << (32 - shift)
    for (int i = 0; i < n; ++i)
        v[__brev(i) >> shift] = signal[(size_t)i * batch + t];
    for (int half = 1; half < n; half *= 2) {
        const float step = -3.14159265f / half;
        for (int j = 0; j < half; ++j) {
            float s, c;
            __sincosf(step * j, &s, &c);
            for (int k = j; k < n; k += 2 * half) {
                const float2 a = v[k], b = v[k + half];
                const float re = b.x * c - b.y * s, im = b.x * s + b.y * c;
                v[k] = make_float2(a.x + re, a.y + im);
                v[k + half] = make_float2(a.x - re, a.y - im);
            }
        }
    }
    for (int i = 0; i < n; ++i)
        power[(size_t)i * batch + t] = v[i].x * v[i].x + v[i].y * v[i].y;
}
