// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "swiglu_half"
title = "Gate and value halves of a row of halves"
entry = "swiglu"

[[parameters]]
name = "rows"
default = 4096
min = 1
max = 65536

[[parameters]]
name = "dim"
default = 4096
min = 32
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

[launch]
grid = ["cdiv(dim // 2, block * per)", "rows"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "f16"
count = "rows * dim * 2"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f16"
count = "rows * dim"

[[arguments]]
scalar = "dim"
type = "i32"

[[arguments]]
scalar = "per"
type = "i32"
--- */
#include <cuda_fp16.h>
__global__ void swiglu(const __half2* in, __half2* out, int dim, int per)
{
    const __half2* row = in + (size_t)blockIdx.y * dim;
    for (int k = 0; k < per; ++k) {
        int i = (blockIdx.x * per + k) * blockDim.x + threadIdx.x;
        if (i >= dim / 2)
            return;
        float2 gate = __half22float2(row[i]), value = __half22float2(row[dim / 2 + i]);
        gate.x = gate.x / (1 + __expf(-gate.x)) * value.x;
        gate.y = gate.y / (1 + __expf(-gate.y)) * value.y;
        out[(size_t)blockIdx.y * (dim / 2) + i] = __floats2half2_rn(gate.x, gate.y);
    }
}
