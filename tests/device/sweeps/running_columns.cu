// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "running_columns"
title = "Running sums down columns, a thread a column"
entry = "running"

[[parameters]]
name = "rows"
default = 256
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 65536
min = 32
max = 1000000

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[launch]
grid = ["cdiv(cols, block)"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "f32"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "rows * cols"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"
--- */
__global__ void running(const float* in, float* out, int rows, int cols)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= cols)
        return;
    float sum = 0;
    for (int r = 0; r < rows; ++r) {
        sum += in[(size_t)r * cols + c];
        out[(size_t)r * cols + c] = sum;
    }
}
