// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "jpeg_dct"
title = "Cosine transform of 8 x 8 pixels, quantized and in zigzag order, a thread a pixel"
entry = "forward<{each},{pitch}>"

[[parameters]]
name = "columns"
label = "Squares a row"
default = 241
min = 1
max = 4096

[[parameters]]
name = "rows"
label = "Rows of squares"
default = 136
min = 1
max = 4096

[[parameters]]
name = "each"
label = "Squares a block"
default = 4
min = 1
max = 16

[[parameters]]
name = "pitch"
default = 9
min = 8
max = 12

[launch]
grid = ["cdiv(columns, each)", "rows"]
block = [8, 8, "each"]

[[arguments]]
buffer = "pixels"
type = "u8"
count = "columns * rows * 64"
fill = "random:1"

[[arguments]]
buffer = "quant"
type = "u8"
count = "64"
fill = "random:2"

[[arguments]]
buffer = "coefficients"
type = "i16"
count = "columns * rows * 64"

[[arguments]]
buffer = "nonzero"
type = "i32"
count = "columns * rows"

[[arguments]]
scalar = "columns"
type = "i32"
--- */
__constant__ float cosine[8][8] = {
    {0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f},
    {0.49039264f, 0.41573481f, 0.27778512f, 0.09754516f, -0.09754516f, -0.27778512f, -0.41573481f, -0.49039264f},
    {0.46193977f, 0.19134172f, -0.19134172f, -0.46193977f, -0.46193977f, -0.19134172f, 0.19134172f, 0.46193977f},
    {0.41573481f, -0.09754516f, -0.49039264f, -0.27778512f, 0.27778512f, 0.49039264f, 0.09754516f, -0.41573481f},
    {0.35355339f, -0.35355339f, -0.35355339f, 0.35355339f, 0.35355339f, -0.35355339f, -0.35355339f, 0.35355339f},
    {0.27778512f, -0.49039264f, 0.09754516f, 0.41573481f, -0.41573481f, -0.09754516f, 0.49039264f, -0.27778512f},
    {0.19134172f, -0.46193977f, 0.46193977f, -0.19134172f, -0.19134172f, 0.46193977f, -0.46193977f, 0.19134172f},
    {0.09754516f, -0.27778512f, 0.41573481f, -0.49039264f, 0.49039264f, -0.41573481f, 0.27778512f, -0.09754516f}};
__constant__ unsigned char zigzag[64] = {0, 1, 5, 6, 14, 15, 27, 28, 2, 4, 7, 13, 16, 26, 29, 42, 3, 8, 12, 17, 25, 30, 41, 43, 9, 11, 18, 24,
    31, 40, 44, 53, 10, 19, 23, 32, 39, 45, 52, 54, 20, 22, 33, 38, 46, 51, 55, 60, 21, 34, 37, 47, 50, 56, 59, 61, 35, 36, 48, 49, 57, 58, 62, 63};

template <int Each, int Pitch>
__global__ void forward(const unsigned char* __restrict__ pixels, const unsigned char* __restrict__ quant, short* __restrict__ coefficients,
    int* __restrict__ nonzero, int columns)
{
    __shared__ float a[Each][8][Pitch], b[Each][8][Pitch];
    __shared__ int counts[Each];
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, column = blockIdx.x * Each + z;
    const bool live = column < columns;
    if (x == 0 && y == 0)
        counts[z] = 0;
    a[z][y][x] = live ? pixels[((size_t)blockIdx.y * 8 + y) * columns * 8 + column * 8 + x] - 128.0f : 0.0f;
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i)
        sum += a[z][y][i] * cosine[x][i];
    b[z][y][x] = sum;
    __syncthreads();
    sum = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i)
        sum += b[z][i][x] * cosine[y][i];
    const int q = __float2int_rn(sum / (1 + quant[y * 8 + x]));
    if (q != 0)
        atomicAdd(&counts[z], 1);
    if (live)
        coefficients[((size_t)blockIdx.y * columns + column) * 64 + zigzag[y * 8 + x]] = (short)q;
    __syncthreads();
    if (live && x == 0 && y == 0)
        nonzero[blockIdx.y * columns + column] = counts[z];
}
