// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "stored_bytes"
title = "Pixels of three bytes, which a thread stores one by one"
entry = "pixels"

[[parameters]]
name = "type"
define = "TYPE"
default = "byte"
choices = [{ value = "byte", define = "unsigned char" }, { value = "short", define = "unsigned short" }]

[[parameters]]
name = "each"
define = "EACH"
default = 1
min = 1
max = 8

[[parameters]]
name = "reads"
define = "READS"
default = 1
min = 0
max = 1

[[parameters]]
name = "work"
define = "WORK"
default = 0
min = 0
max = 64

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["4194304 / (each * block)"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "u8"
count = 4194304

[[arguments]]
buffer = "out"
type = "u8"
count = 25165824
--- */
extern "C" __global__ void pixels(const unsigned char* in, TYPE* out)
{
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) * EACH;
#pragma unroll
    for (int e = 0; e < EACH; ++e) {
        int v = READS ? in[i + e] : i + e;
#pragma unroll
        for (int w = 0; w < WORK; ++w)
            v = v * 298 + (v >> 8);
        out[(i + e) * 3] = (TYPE)min(max((v * 298 + 128) >> 8, 0), 255);
        out[(i + e) * 3 + 1] = (TYPE)min(max((v * 208 + 128) >> 8, 0), 255);
        out[(i + e) * 3 + 2] = (TYPE)min(max((v * 516 + 128) >> 8, 0), 255);
    }
}
