// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "dp4a_gemm"
title = "Product of bytes by four-way dot products, two buffers in shared memory"
entry = "dp4aGemm<{tile},{micro}>"

[[parameters]]
name = "m"
default = 1024
min = 128
max = 8192

[[parameters]]
name = "n"
default = 1024
min = 128
max = 8192

[[parameters]]
name = "k"
default = 512
min = 32
max = 8192

[[parameters]]
name = "tile"
default = 64
min = 32
max = 128
presets = [32, 64, 128]

[[parameters]]
name = "micro"
default = 4
min = 2
max = 8
presets = [2, 4, 8]

[[legality]]
condition = "m % tile == 0 and n % tile == 0 and k % 32 == 0"
parameters = ["m", "n", "k", "tile"]
sentence = "Rows and columns must be multiples of {tile}, the depth of 32."

[[legality]]
condition = "tile // micro <= 32 and tile // micro >= 8"
parameters = ["tile", "micro"]
sentence = "{tile // micro} threads a side; 8 to 32 are meant."

[launch]
grid = ["n // tile", "m // tile"]
block = ["tile // micro", "tile // micro"]

[[arguments]]
buffer = "a"
type = "i8"
count = "m * k"
fill = "random:1"

[[arguments]]
buffer = "b"
type = "i8"
count = "n * k"
fill = "random:2"

[[arguments]]
buffer = "scale"
type = "f32"
count = "n"
fill = "random:3"

[[arguments]]
buffer = "c"
type = "f32"
count = "m * n"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "k"
type = "i32"
--- */
template <int Tile, int Micro>
__global__ void dp4aGemm(const signed char* a, const signed char* b, const float* scale, float* c, int n, int k)
{
    constexpr int Side = Tile / Micro, Threads = Side * Side, Deep = 8; // 8 words of 4 bytes
    __shared__ int as[2][Deep][Tile + 1], bs[2][Deep][Tile + 1];
    const int* wa = (const int*)a + (size_t)blockIdx.y * Tile * (k / 4);
    const int* wb = (const int*)b + (size_t)blockIdx.x * Tile * (k / 4);
    const int words = k / 4, t = threadIdx.y * Side + threadIdx.x;

    auto load = [&](int buffer, int from) {
        for (int i = t; i < Tile * Deep; i += Threads) {
            int row = i / Deep, w = i % Deep;
            as[buffer][w][row] = wa[(size_t)row * words + from + w];
            bs[buffer][w][row] = wb[(size_t)row * words + from + w];
        }
    };

    int sum[Micro][Micro] = {};
    load(0, 0);
    __syncthreads();
    int now = 0;
    for (int from = 0; from < words; from += Deep) {
        if (from + Deep < words)
            load(now ^ 1, from + Deep);
#pragma unroll
        for (int w = 0; w < Deep; ++w) {
            int x[Micro], y[Micro];
#pragma unroll
            for (int i = 0; i < Micro; ++i) {
                x[i] = as[now][w][threadIdx.y + i * Side];
                y[i] = bs[now][w][threadIdx.x + i * Side];
            }
#pragma unroll
            for (int i = 0; i < Micro; ++i)
#pragma unroll
                for (int j = 0; j < Micro; ++j)
                    sum[i][j] = __dp4a(x[i], y[j], sum[i][j]);
        }
        __syncthreads();
        now ^= 1;
    }
#pragma unroll
    for (int i = 0; i < Micro; ++i)
#pragma unroll
        for (int j = 0; j < Micro; ++j) {
            int row = blockIdx.y * Tile + threadIdx.y + i * Side, col = blockIdx.x * Tile + threadIdx.x + j * Side;
            c[(size_t)row * n + col] = sum[i][j] * scale[col];
        }
}
