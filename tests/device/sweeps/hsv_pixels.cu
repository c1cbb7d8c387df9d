// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "hsv_pixels"
title = "Colours of four bytes, changed in place"
entry = "saturate"

[[parameters]]
name = "n"
default = 16777216
min = 32
max = 268435456

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]

[[arguments]]
buffer = "pixels"
type = "u8"
count = "4 * n"
fill = "random:1"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void saturate(uchar4* pixels, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uchar4 p = pixels[i];
    int grey = (p.x * 77 + p.y * 150 + p.z * 29) >> 8;
    p.x = min(255, max(0, grey + (p.x - grey) * 3 / 2));
    p.y = min(255, max(0, grey + (p.y - grey) * 3 / 2));
    p.z = min(255, max(0, grey + (p.z - grey) * 3 / 2));
    pixels[i] = p;
}
