// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "option_prices"
title = "Prices of options after Black and Scholes"
entry = "prices"

[[parameters]]
name = "n"
default = 4194304
min = 1
max = 100000000

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[parameters]]
name = "per"
default = 1
min = 1
max = 8

[launch]
grid = ["cdiv(n, block * per)"]
block = ["block"]

[[arguments]]
buffer = "spot"
type = "f32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "strike"
type = "f32"
count = "n"
fill = "random:2"

[[arguments]]
buffer = "years"
type = "f32"
count = "n"
fill = "random:3"

[[arguments]]
buffer = "call"
type = "f32"
count = "n"

[[arguments]]
buffer = "put"
type = "f32"
count = "n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__device__ float normal(float d) { return 0.5f * erfcf(-d * 0.70710678f); }
__global__ void prices(const float* spot, const float* strike, const float* years, float* call, float* put, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float s = 20 + 10 * spot[i], k = 20 + 10 * strike[i], t = 1.5f + years[i];
        float root = 0.3f * sqrtf(t), d1 = (logf(s / k) + (0.02f + 0.045f) * t) / root, d2 = d1 - root;
        float discounted = k * expf(-0.02f * t), c = s * normal(d1) - discounted * normal(d2);
        call[i] = c;
        put[i] = c - s + discounted;
    }
}
