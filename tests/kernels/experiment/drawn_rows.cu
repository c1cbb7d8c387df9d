// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "drawn_rows"
title = "Rows of a table that indices name"
entry = "drawnRows"

[[parameters]]
name = "blocks"
default = 16384
min = 1
max = 1048576

[[parameters]]
name = "cols"
default = 256
min = 32
max = 65536

[[parameters]]
name = "pool"
default = 256
min = 1
max = 65536

[launch]
grid = ["blocks"]
block = [128]

[[arguments]]
buffer = "table"
type = "f32"
count = "65536 * cols"
fill = "random:1"

[[arguments]]
buffer = "index"
type = "i32"
count = "blocks"
fill = "random:2:0:pool"

[[arguments]]
buffer = "out"
type = "f32"
count = "blocks * cols"

[[arguments]]
scalar = "cols"
type = "i32"
--- */

__global__ void drawnRows(const float* table, const int* index, float* out, int cols)
{
    const float* row = table + size_t(index[blockIdx.x]) * cols;
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        out[size_t(blockIdx.x) * cols + i] = row[i];
}
