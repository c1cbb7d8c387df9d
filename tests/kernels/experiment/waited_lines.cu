// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "waited_lines"
title = "Loads that wait for a line in every turn of a loop, or find it on its way"
entry = "{loads}<{work}>"

[[parameters]]
name = "loads"
default = "both"
choices = [{ value = "both" }, { value = "columns" }, { value = "rows" }]

[[parameters]]
name = "work"
default = 0
min = 0
max = 32

[[parameters]]
name = "rows"
default = 512
min = 64
max = 4096

[[parameters]]
name = "terms"
default = 1024
min = 64
max = 4096

[[parameters]]
name = "cols"
default = 2048
min = 64
max = 4096

[[parameters]]
name = "block_x"
default = 16
min = 1
max = 1024

[[parameters]]
name = "block_y"
default = 16
min = 1
max = 1024

[[arguments]]
buffer = "a"
type = "f32"
count = "rows * terms"
fill = "random:1"

[[arguments]]
buffer = "b"
type = "f32"
count = "terms * cols"
fill = "random:1"

[[arguments]]
buffer = "c"
type = "f32"
count = "rows * cols"

[[arguments]]
scalar = "m"
type = "i32"
value = "rows"

[[arguments]]
scalar = "n"
type = "i32"
value = "terms"

[[arguments]]
scalar = "k"
type = "i32"
value = "cols"

[launch]
grid = ["cdiv(cols, block_x)", "cdiv(rows, block_y)"]
block = ["block_x", "block_y"]
--- */

// Each turn's sum, or a chain of `Work` multiply-adds.
template <int Work> __device__ float add(float sum, float x)
{
    if (Work == 0)
        return sum + x;
#pragma unroll
    for (int w = 0; w < Work; ++w)
        sum = fmaf(sum, x, 1.0f);
    return sum;
}

template <int Work, class Load> __device__ void sumTerms(float* c, int m, int n, int k, Load load)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m || j >= k)
        return;
    float sum = 0;
#pragma unroll 1
    for (int p = 0; p < n; ++p)
        sum = add<Work>(sum, load(i, j, p));
    c[i * k + j] = sum;
}

template <int Work> __global__ void both(const float* a, const float* b, float* c, int m, int n, int k)
{
    sumTerms<Work>(c, m, n, k, [=](int i, int j, int p) { return a[i * n + p] * b[p * k + j]; });
}

template <int Work> __global__ void columns(const float* a, const float* b, float* c, int m, int n, int k)
{
    sumTerms<Work>(c, m, n, k, [=](int i, int j, int p) { return b[p * k + j]; });
}

template <int Work> __global__ void rows(const float* a, const float* b, float* c, int m, int n, int k)
{
    sumTerms<Work>(c, m, n, k, [=](int i, int j, int p) { return a[i * n + p]; });
}
