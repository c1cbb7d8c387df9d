// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "fp8_mma"
title = "Product of 8-bit floats with mma: 64 x 64 of c a block, four warps, rows of a tile so far apart"
entry = "fp8Mma<{depth},{pad}>"

[[parameters]]
name = "m"
default = 1024
min = 64
max = 8192

[[parameters]]
name = "n"
default = 1024
min = 64
max = 8192

[[parameters]]
name = "k"
default = 1024
min = 64
max = 8192

[[parameters]]
name = "depth"
help = "Bytes of a row in shared memory"
default = 64
min = 32
max = 256
presets = [32, 64, 128]

[[parameters]]
name = "pad"
default = 16
min = 0
max = 64
presets = [0, 16, 32]

[[legality]]
condition = "m % 64 == 0 and n % 64 == 0 and k % depth == 0 and depth % 32 == 0 and pad % 16 == 0"
parameters = ["m", "n", "k", "depth", "pad"]
sentence = "Rows and columns must be multiples of 64, the depth of 32 and a divisor of k, the padding of 16."

[launch]
grid = ["n // 64", "m // 64"]
block = [128]

[[arguments]]
buffer = "a"
type = "u8"
count = "m * k"
fill = "random:1:0:120"

[[arguments]]
buffer = "b"
type = "u8"
count = "n * k"
fill = "random:2:0:120"

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
// b is given by columns. Each warp computes 32 x 32.
template <int Depth, int Pad>
__global__ void __launch_bounds__(128) fp8Mma(const unsigned char* a, const unsigned char* b, float* c, int n, int k)
{
    constexpr int kRow = Depth + Pad;
    __shared__ __align__(16) unsigned char tiles[2][64 * kRow];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = warp / 2 * 32, column = warp % 2 * 32;
    const unsigned base[2] = { (unsigned)__cvta_generic_to_shared(tiles[0]), (unsigned)__cvta_generic_to_shared(tiles[1]) };
    float sum[2][4][4] = {};
    for (int from = 0; from < k; from += Depth) {
        for (int i = threadIdx.x; i < 64 * Depth / 16; i += 128) {
            const int r = i / (Depth / 16), piece = i % (Depth / 16) * 16;
            *(uint4*)&tiles[0][r * kRow + piece] = *(const uint4*)&a[(size_t)(blockIdx.y * 64 + r) * k + from + piece];
            *(uint4*)&tiles[1][r * kRow + piece] = *(const uint4*)&b[(size_t)(blockIdx.x * 64 + r) * k + from + piece];
        }
        __syncthreads();
#pragma unroll
        for (int s = 0; s < Depth; s += 32) {
            unsigned x[2][4], y[2][4];
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                             : "=r"(x[i][0]), "=r"(x[i][1]), "=r"(x[i][2]), "=r"(x[i][3])
                             : "r"(base[0] + (row + 16 * i + lane % 16) * kRow + s + lane / 16 * 16));
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                             : "=r"(y[i][0]), "=r"(y[i][1]), "=r"(y[i][2]), "=r"(y[i][3])
                             : "r"(base[1] + (column + 16 * i + lane % 8 + lane / 16 * 8) * kRow + s + lane / 8 % 2 * 16));
            }
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                                 : "+f"(sum[i][j][0]), "+f"(sum[i][j][1]), "+f"(sum[i][j][2]), "+f"(sum[i][j][3])
                                 : "r"(x[i][0]), "r"(x[i][1]), "r"(x[i][2]), "r"(x[i][3]), "r"(y[j / 2][j % 2 * 2]), "r"(y[j / 2][j % 2 * 2 + 1]));
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int h = 0; h < 2; ++h)
                *(float2*)&c[(size_t)(blockIdx.y * 64 + row + 16 * i + lane / 4 + 8 * h) * n + blockIdx.x * 64 + column + 8 * j + lane % 4 * 2]
                    = make_float2(sum[i][j][2 * h], sum[i][j][2 * h + 1]);
}
