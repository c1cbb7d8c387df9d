// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "daxpy_strided"
title = "y = a x + y with strides, doubles"
entry = "daxpy"

[[parameters]]
name = "n"
default = 4194304
min = 32
max = 67108864

[[parameters]]
name = "incx"
default = 1
min = 1
max = 32

[[parameters]]
name = "incy"
default = 1
min = 1
max = 32

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]

[[arguments]]
buffer = "x"
type = "f64"
count = "n * incx"
fill = "random:1"

[[arguments]]
buffer = "y"
type = "f64"
count = "n * incy"
fill = "random:2"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "incx"
type = "i32"

[[arguments]]
scalar = "incy"
type = "i32"
--- */
__global__ void daxpy(const double* x, double* y, int n, int incx, int incy)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[(size_t)i * incy] = 1.5 * x[(size_t)i * incx] + y[(size_t)i * incy];
}
