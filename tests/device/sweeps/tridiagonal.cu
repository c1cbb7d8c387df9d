// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "tridiagonal"
title = "Many tridiagonal systems, a thread a system, interleaved"
entry = "solve"

[[parameters]]
name = "systems"
default = 131072
min = 32
max = 10000000

[[parameters]]
name = "steps"
default = 64
min = 2
max = 1024

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[launch]
grid = ["cdiv(systems, block)"]
block = ["block"]

[[arguments]]
buffer = "b"
type = "f32"
count = "systems * steps"
fill = "random:1"

[[arguments]]
buffer = "d"
type = "f32"
count = "systems * steps"
fill = "random:2"

[[arguments]]
buffer = "work"
type = "f32"
count = "systems * steps"

[[arguments]]
buffer = "x"
type = "f32"
count = "systems * steps"

[[arguments]]
scalar = "systems"
type = "i32"

[[arguments]]
scalar = "steps"
type = "i32"
--- */
__global__ void solve(const float* b, const float* d, float* work, float* x, int systems, int steps)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems)
        return;
    float c = 0, y = 0;
    for (int k = 0; k < steps; ++k) {
        size_t i = (size_t)k * systems + s;
        float m = 1 / (4 + b[i] - c);
        c = m;
        y = (d[i] - y) * m;
        work[i] = c;
        x[i] = y;
    }
    for (int k = steps - 2; k >= 0; --k) {
        size_t i = (size_t)k * systems + s;
        y = x[i] - work[i] * y;
        x[i] = y;
    }
}
