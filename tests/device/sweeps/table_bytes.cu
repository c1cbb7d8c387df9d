// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "table_bytes"
title = "Bytes through a table"
entry = "lookup"

[[parameters]]
name = "n"
default = 33554432
min = 32
max = 200000000

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[parameters]]
name = "wide"
default = 1
min = 1
max = 4

[launch]
grid = ["cdiv(n, block * wide)"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "u8"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "table"
type = "u8"
count = "256"
fill = "random:2"

[[arguments]]
buffer = "out"
type = "u8"
count = "n"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "wide"
type = "i32"
--- */
__global__ void lookup(const unsigned char* in, const unsigned char* table, unsigned char* out, int n, int wide)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * wide;
    if (i + wide > n)
        return;
    if (wide == 4) {
        uchar4 v = *(const uchar4*)(in + i);
        *(uchar4*)(out + i) = make_uchar4(table[v.x], table[v.y], table[v.z], table[v.w]);
    } else {
        for (int k = 0; k < wide; ++k)
            out[i + k] = table[in[i + k]];
    }
}
