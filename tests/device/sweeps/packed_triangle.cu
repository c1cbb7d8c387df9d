// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "packed_triangle"
title = "Packed lower triangle times vector, a warp a row, doubles"
entry = "packedTriangle"

[[parameters]]
name = "n"
default = 6144
min = 32
max = 16384

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(n, block // 32)"]
block = ["block"]

[[arguments]]
buffer = "l"
type = "f64"
count = "n * (n + 1) // 2"
fill = "random:1"

[[arguments]]
buffer = "x"
type = "f64"
count = "n"
fill = "random:2"

[[arguments]]
buffer = "y"
type = "f64"
count = "n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void packedTriangle(const double* __restrict__ l, const double* __restrict__ x, double* __restrict__ y, int n)
{
    const int lane = threadIdx.x & 31, row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    if (row >= n)
        return;
    const double* p = l + (size_t)row * (row + 1) / 2;
    double sum = 0;
    for (int j = lane; j <= row; j += warpSize)
        sum = fma(p[j], x[j], sum);
#pragma unroll
    for (int mask = 16; mask; mask >>= 1)
        sum += __shfl_xor_sync(~0u, sum, mask);
    if (!lane)
        y[row] = sum;
}
