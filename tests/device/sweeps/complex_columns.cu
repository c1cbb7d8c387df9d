// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "complex_columns"
title = "Columns of complex numbers scaled and conjugated, a thread a column piece"
entry = "scale"

[[parameters]]
name = "rows"
default = 2048
min = 32
max = 16384

[[parameters]]
name = "cols"
default = 2048
min = 32
max = 16384

[[parameters]]
name = "per"
default = 8
min = 1
max = 64

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[launch]
grid = ["cdiv(cols, block)", "cdiv(rows, per)"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "f32"
count = "rows * cols * 2"
fill = "random:1"

[[arguments]]
buffer = "phase"
type = "f32"
count = "rows * 2"
fill = "random:2"

[[arguments]]
buffer = "out"
type = "f32"
count = "rows * cols * 2"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"

[[arguments]]
scalar = "per"
type = "i32"
--- */
__global__ void scale(const float2* in, const float2* phase, float2* out, int rows, int cols, int per)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= cols)
        return;
    for (int r = blockIdx.y * per; r < min(rows, (int)(blockIdx.y + 1) * per); ++r) {
        float2 a = in[r * cols + c], p = phase[r];
        out[r * cols + c] = make_float2(a.x * p.x + a.y * p.y, a.x * p.y - a.y * p.x);
    }
}
