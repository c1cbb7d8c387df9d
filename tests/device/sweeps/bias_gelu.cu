// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "bias_gelu"
title = "Bias and GELU"
entry = "gelu"

[[parameters]]
name = "rows"
default = 8192
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 3072
min = 4
max = 65536

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
define = "PER"

[launch]
grid = ["cdiv(rows * cols, block * per)"]
block = ["block"]

[[arguments]]
buffer = "x"
type = "f32"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "bias"
type = "f32"
count = "cols"
fill = "random:2"

[[arguments]]
buffer = "y"
type = "f32"
count = "rows * cols"

[[arguments]]
scalar = "n"
type = "i32"
value = "rows * cols"

[[arguments]]
scalar = "cols"
type = "i32"
--- */
__global__ void gelu(const float* x, const float* bias, float* y, int n, int cols)
{
#pragma unroll
    for (int k = 0; k < PER; ++k) {
        int i = (blockIdx.x * PER + k) * blockDim.x + threadIdx.x;
        if (i < n) {
            float v = x[i] + bias[i % cols];
            y[i] = 0.5f * v * (1 + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
        }
    }
}
