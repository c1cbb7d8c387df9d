// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "causal_conv"
title = "Causal convolution of four steps along a sequence, channels last"
entry = "conv"

[[parameters]]
name = "tokens"
default = 8192
min = 32
max = 1000000

[[parameters]]
name = "channels"
default = 1024
min = 32
max = 16384

[[parameters]]
name = "block_x"
default = 128
min = 8
max = 256

[[parameters]]
name = "block_y"
default = 1
min = 1
max = 16

[launch]
grid = ["cdiv(channels, block_x)", "cdiv(tokens, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "in"
type = "f32"
count = "tokens * channels"
fill = "random:1"

[[arguments]]
buffer = "weights"
type = "f32"
count = "4 * channels"
fill = "random:2"

[[arguments]]
buffer = "out"
type = "f32"
count = "tokens * channels"

[[arguments]]
scalar = "tokens"
type = "i32"

[[arguments]]
scalar = "channels"
type = "i32"
--- */
__global__ void conv(const float* in, const float* weights, float* out, int tokens, int channels)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, t = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= channels || t >= tokens)
        return;
    float sum = 0;
    for (int k = 0; k < 4; ++k)
        if (t - 3 + k >= 0)
            sum += in[(t - 3 + k) * channels + c] * weights[k * channels + c];
    out[t * channels + c] = sum / (1 + __expf(-sum));
}
