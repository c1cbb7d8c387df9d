// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "bsr_multiply"
title = "Sparse matrix of small dense blocks (BSR) times vector in double, a warp a row of blocks"
entry = "bsr<{edge}>"

[[parameters]]
name = "rows"
label = "Rows of blocks"
default = 20000
min = 1
max = 1000000

[[parameters]]
name = "average"
label = "Blocks a row"
default = 14
min = 1
max = 256

[[parameters]]
name = "edge"
label = "Size of a block"
default = 3
min = 2
max = 5

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[[legality]]
condition = "block % 32 == 0"
parameters = ["block"]
sentence = "Whole warps."

[launch]
grid = ["cdiv(rows * 32, block)"]
block = ["block"]
dynamic_shared = "block * 8"

[[arguments]]
buffer = "noise"
type = "u32"
count = "rows + 1"
fill = "random:1"

[[arguments]]
buffer = "columns"
type = "u32"
count = "rows * average"
fill = "random:2"

[[arguments]]
buffer = "values"
type = "f64"
count = "rows * average * edge * edge"
fill = "random:3"

[[arguments]]
buffer = "x"
type = "f64"
count = "rows * edge"
fill = "random:4"

[[arguments]]
buffer = "y"
type = "f64"
count = "rows * edge"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "average"
type = "i32"

[[arguments]]
scalar = "alpha"
type = "f64"
value = 1.5
--- */
template <int Size>
__global__ void bsr(const unsigned* __restrict__ noise, const unsigned* __restrict__ columns, const double* __restrict__ values,
    const double* __restrict__ x, double* __restrict__ y, int rows, int average, double alpha)
{
    constexpr int Entries = Size * Size, AtOnce = 32 / Entries;
    extern __shared__ double parts[];
    const int lane = threadIdx.x & 31, row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (row >= rows)
        return;
    double* const mine = parts + (threadIdx.x & ~31);
    // The rows' starts; the last ends at rows * average.
    const int start = row * average + (int)(row ? noise[row] % average : 0);
    const int end = row + 1 == rows ? rows * average : (row + 1) * average + (int)(noise[row + 1] % average);
    double sum = 0;
    if (lane < AtOnce * Entries) {
        const int entry = lane % Entries, column = entry % Size;
        for (int k = start + lane / Entries; k < end; k += AtOnce) {
            const unsigned at = columns[k] % rows;
            sum = fma(values[(size_t)k * Entries + entry], __ldg(x + (size_t)at * Size + column), sum);
        }
    }
    mine[lane] = sum;
    __syncwarp();
    if (lane < Size) {
        double all = 0;
#pragma unroll
        for (int i = 0; i < AtOnce; ++i)
#pragma unroll
            for (int c = 0; c < Size; ++c)
                all += mine[i * Entries + lane * Size + c];
        y[(size_t)row * Size + lane] = alpha * all;
    }
}
