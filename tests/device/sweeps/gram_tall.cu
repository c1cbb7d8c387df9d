// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "gram_tall"
title = "Products of a tall matrix's columns (X'X), rows by cp.async into two buffers, slices added by atomics"
entry = "gram<{columns},{tx},{depth}>"

[[parameters]]
name = "slices"
default = 264
min = 1
max = 4096

[[parameters]]
name = "rows"
label = "Rows a slice"
default = 500
min = 1
max = 65536

[[parameters]]
name = "columns"
default = 64
min = 32
max = 128
presets = [32, 64, 128]

[[parameters]]
name = "tx"
label = "Threads a side"
default = 16
min = 8
max = 32

[[parameters]]
name = "depth"
label = "Rows a buffer"
default = 16
min = 4
max = 32

[[legality]]
condition = "columns % (4 * tx) == 0 or columns % tx == 0 and columns // tx <= 2"
parameters = ["columns", "tx"]
sentence = "A thread has {columns // tx} columns: 1, 2, or fours."

[[legality]]
condition = "columns // tx <= 8"
parameters = ["columns", "tx"]
sentence = "Too many columns a thread."

[launch]
grid = ["slices"]
block = ["tx", "tx"]

[[arguments]]
buffer = "x"
type = "f32"
count = "slices * rows * columns"
fill = "random:1"

[[arguments]]
buffer = "product"
type = "f32"
count = "columns * columns"

[[arguments]]
scalar = "rows"
type = "i32"
--- */
#include <cuda_pipeline.h>

template <int Columns, int Side, int Depth>
__global__ void gram(const float* __restrict__ x, float* product, int rows)
{
    constexpr int Each = Columns / Side, Fours = Columns / 4;
    __shared__ alignas(16) float buffer[2][Depth][Columns];
    const int tx = threadIdx.x, ty = threadIdx.y, rank = ty * Side + tx;
    const float* mine = x + (size_t)blockIdx.x * rows * Columns;
    float sum[Each][Each] = {};

    auto fetch = [&](int which, int start) {
        for (int i = rank; i < Depth * Fours; i += Side * Side) {
            const int r = i / Fours, c = i % Fours * 4;
            if (start + r < rows)
                __pipeline_memcpy_async(&buffer[which][r][c], mine + (size_t)(start + r) * Columns + c, 16);
            else
                *reinterpret_cast<float4*>(&buffer[which][r][c]) = make_float4(0, 0, 0, 0);
        }
        __pipeline_commit();
    };

    fetch(0, 0);
    int which = 0;
    for (int start = 0; start < rows; start += Depth, which ^= 1) {
        if (start + Depth < rows) {
            fetch(which ^ 1, start + Depth);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
#pragma unroll 4
        for (int r = 0; r < Depth; ++r) {
            float a[Each], b[Each];
#pragma unroll
            for (int i = 0; i < Each; ++i) {
                a[i] = buffer[which][r][ty * Each + i];
                b[i] = buffer[which][r][tx * Each + i];
            }
#pragma unroll
            for (int i = 0; i < Each; ++i)
#pragma unroll
                for (int j = 0; j < Each; ++j)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < Each; ++i)
#pragma unroll
        for (int j = 0; j < Each; ++j)
            atomicAdd(product + (ty * Each + i) * Columns + tx * Each + j, sum[i][j]);
}
