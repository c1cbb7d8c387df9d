// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "batch_norm"
title = "Batch normalisation of images, planes one after another"
entry = "apply"

[[parameters]]
name = "pixels"
default = 3136
min = 1
max = 1048576

[[parameters]]
name = "channels"
default = 64
min = 1
max = 4096

[[parameters]]
name = "images"
default = 64
min = 1
max = 4096

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
grid = ["cdiv(pixels * channels * images, block * per)"]
block = ["block"]

[[arguments]]
buffer = "x"
type = "f32"
count = "pixels * channels * images"
fill = "random:1"

[[arguments]]
buffer = "mean"
type = "f32"
count = "channels"
fill = "random:2"

[[arguments]]
buffer = "variance"
type = "f32"
count = "channels"
fill = "iota"

[[arguments]]
buffer = "gamma"
type = "f32"
count = "channels"
fill = "random:3"

[[arguments]]
buffer = "beta"
type = "f32"
count = "channels"
fill = "random:4"

[[arguments]]
buffer = "y"
type = "f32"
count = "pixels * channels * images"

[[arguments]]
scalar = "n"
type = "i32"
value = "pixels * channels * images"

[[arguments]]
scalar = "pixels"
type = "i32"

[[arguments]]
scalar = "channels"
type = "i32"
--- */
__global__ void apply(const float* x, const float* mean, const float* variance, const float* gamma, const float* beta, float* y,
    int n, int pixels, int channels)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int c = i / pixels % channels;
        y[i] = (x[i] - mean[c]) * rsqrtf(variance[c] + 1e-5f) * gamma[c] + beta[c];
    }
}
