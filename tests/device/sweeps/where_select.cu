// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "where_select"
title = "One of two by a byte"
entry = "select"

[[parameters]]
name = "n"
default = 16777216
min = 32
max = 268435456

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
buffer = "mask"
type = "u8"
count = "n"
fill = "random:3"

[[arguments]]
buffer = "a"
type = "f32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "b"
type = "f32"
count = "n"
fill = "random:2"

[[arguments]]
buffer = "y"
type = "f32"
count = "n"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "per"
type = "i32"
--- */
__global__ void select(const unsigned char* mask, const float* a, const float* b, float* y, int n, int per)
{
    int first = blockIdx.x * blockDim.x * per + threadIdx.x;
    for (int j = 0; j < per; ++j) {
        int i = first + j * blockDim.x;
        if (i < n)
            y[i] = mask[i] & 1 ? a[i] : b[i];
    }
}
