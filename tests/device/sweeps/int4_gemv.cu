// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "int4_gemv"
title = "Weights of 4 bits, eight a word, times vector, a warp a row"
entry = "gemv"

[[parameters]]
name = "rows"
default = 8192
min = 32
max = 65536

[[parameters]]
name = "cols"
default = 4096
min = 256
max = 65536

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[launch]
grid = ["cdiv(rows * 32, block)"]
block = ["block"]

[[arguments]]
buffer = "weights"
type = "u32"
count = "rows * cols // 8"
fill = "random:1"

[[arguments]]
buffer = "scales"
type = "f32"
count = "rows"
fill = "random:2"

[[arguments]]
buffer = "x"
type = "f32"
count = "cols"
fill = "random:3"

[[arguments]]
buffer = "y"
type = "f32"
count = "rows"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"
--- */
__global__ void gemv(const unsigned* weights, const float* scales, const float* x, float* y, int rows, int cols)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, words = cols / 8;
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = lane; i < words; i += 32) {
        unsigned w = weights[(size_t)row * words + i];
        const float4* v = reinterpret_cast<const float4*>(x + i * 8);
        float4 a = v[0], b = v[1];
        sum += ((int)(w & 15) - 8) * a.x + ((int)(w >> 4 & 15) - 8) * a.y + ((int)(w >> 8 & 15) - 8) * a.z
            + ((int)(w >> 12 & 15) - 8) * a.w + ((int)(w >> 16 & 15) - 8) * b.x + ((int)(w >> 20 & 15) - 8) * b.y
            + ((int)(w >> 24 & 15) - 8) * b.z + ((int)(w >> 28) - 8) * b.w;
    }
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[row] = sum * scales[row];
}
