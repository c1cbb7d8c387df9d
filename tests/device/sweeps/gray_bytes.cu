// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "gray_bytes"
title = "Grey of three-byte pixels"
entry = "gray"

[[parameters]]
name = "n"
default = 8388608
min = 1
max = 200000000

[[parameters]]
name = "block"
default = 256
min = 1
max = 1024

[[parameters]]
name = "per"
default = 1
min = 1
max = 16
define = "PER"

[launch]
grid = ["cdiv(n, block * per)"]
block = ["block"]

[[arguments]]
buffer = "rgb"
type = "u8"
count = "3 * n"
fill = "random:1"

[[arguments]]
buffer = "gray"
type = "u8"
count = "n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void gray(const unsigned char* rgb, unsigned char* out, int n)
{
    int first = blockIdx.x * blockDim.x * PER + threadIdx.x;
#pragma unroll
    for (int k = 0; k < PER; ++k) {
        int i = first + k * blockDim.x;
        if (i < n)
            out[i] = (77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) >> 8;
    }
}
