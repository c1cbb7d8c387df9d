// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "matmul_naive"
title = "Matrix product, a thread an element, no tile"
entry = "matmul"

[[parameters]]
name = "n"
default = 1024
min = 32
max = 4096

[[parameters]]
name = "block_x"
default = 32
min = 4
max = 1024

[[parameters]]
name = "block_y"
default = 8
min = 1
max = 64

[launch]
grid = ["cdiv(n, block_x)", "cdiv(n, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "A"
type = "f32"
count = "n * n"
fill = "random:1"

[[arguments]]
buffer = "B"
type = "f32"
count = "n * n"
fill = "random:2"

[[arguments]]
buffer = "C"
type = "f32"
count = "n * n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void matmul(const float* A, const float* B, float* C, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && col < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; ++k)
            sum += A[row * n + k] * B[k * n + col];
        C[row * n + col] = sum;
    }
}
