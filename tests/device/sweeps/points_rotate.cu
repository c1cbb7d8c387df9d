// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "points_rotate"
title = "Points of three floats, rotated"
entry = "rotate"

[[parameters]]
name = "n"
default = 4194304
min = 32
max = 100000000

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[parameters]]
name = "per"
default = 1
min = 1
max = 16

[launch]
grid = ["cdiv(n, block * per)"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "f32"
count = "3 * n"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "3 * n"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "per"
type = "i32"
--- */
struct Point { float x, y, z; };
__global__ void rotate(const Point* in, Point* out, int n, int per)
{
    for (int k = 0; k < per; ++k) {
        int i = (blockIdx.x * per + k) * blockDim.x + threadIdx.x;
        if (i >= n)
            return;
        Point p = in[i];
        out[i] = { 0.8f * p.x - 0.6f * p.y, 0.6f * p.x + 0.8f * p.y, p.z };
    }
}
