// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "triad_vectors"
title = "Triad of doubles, two at a time"
entry = "triad"

[[parameters]]
name = "n"
default = 8388608
min = 2
max = 200000000

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[parameters]]
name = "grid"
default = 1056
min = 1
max = 65536

[launch]
grid = ["grid"]
block = ["block"]

[[arguments]]
buffer = "a"
type = "f64"
count = "n"

[[arguments]]
buffer = "b"
type = "f64"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "c"
type = "f64"
count = "n"
fill = "random:2"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void triad(double2* a, const double2* b, const double2* c, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 2; i += gridDim.x * blockDim.x) {
        double2 x = b[i], y = c[i];
        a[i] = make_double2(x.x + 3 * y.x, x.y + 3 * y.y);
    }
}
