// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "adam_step"
title = "One step of Adam over four arrays, some elements a thread"
entry = "adam"

[[parameters]]
name = "n"
default = 8388608
min = 32
max = 100000000

[[parameters]]
name = "per"
default = 1
min = 1
max = 16

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(n, block * per)"]
block = ["block"]

[[arguments]]
buffer = "weight"
type = "f32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "gradient"
type = "f32"
count = "n"
fill = "random:2"

[[arguments]]
buffer = "mean"
type = "f32"
count = "n"

[[arguments]]
buffer = "square"
type = "f32"
count = "n"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "per"
type = "i32"
--- */
__global__ void adam(float* weight, const float* gradient, float* mean, float* square, int n, int per)
{
    for (int k = 0; k < per; ++k) {
        int i = (blockIdx.x * per + k) * blockDim.x + threadIdx.x;
        if (i >= n)
            return;
        float g = gradient[i], m = 0.9f * mean[i] + 0.1f * g, v = 0.999f * square[i] + 0.001f * g * g;
        mean[i] = m;
        square[i] = v;
        weight[i] -= 0.001f * m / (sqrtf(v) + 1e-8f);
    }
}
