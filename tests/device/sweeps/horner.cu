// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "horner"
title = "A polynomial of each element"
entry = "polynomial<{degree}>"

[[parameters]]
name = "n"
default = 16777216
min = 32
max = 268435456

[[parameters]]
name = "degree"
default = 16
min = 1
max = 512

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]

[[arguments]]
buffer = "coefficients"
type = "f32"
count = "degree + 1"
fill = "random:2"

[[arguments]]
buffer = "x"
type = "f32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "y"
type = "f32"
count = "n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
template <int Degree> __global__ void polynomial(const float* coefficients, const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float at = x[i], value = coefficients[Degree];
    for (int k = Degree - 1; k >= 0; --k)
        value = value * at + coefficients[k];
    y[i] = value;
}
