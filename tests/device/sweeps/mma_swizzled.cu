// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "mma_swizzled"
title = "Product of halves with ldmatrix and mma, copied asynchronously, rows of shared memory swizzled or not"
entry = "mmaSwizzled<{stages},{swizzled}>"

[[parameters]]
name = "m"
default = 1024
min = 16
max = 8192

[[parameters]]
name = "n"
default = 1024
min = 16
max = 8192

[[parameters]]
name = "k"
default = 1024
min = 16
max = 8192

[[parameters]]
name = "stages"
default = 2
min = 2
max = 4
presets = [2, 3, 4]

[[parameters]]
name = "swizzled"
default = 1
min = 0
max = 1

[[legality]]
condition = "m % 128 == 0 and n % 128 == 0 and k % 32 == 0"
parameters = ["m", "n", "k"]
sentence = "Rows and columns must be multiples of 128, the depth of 32."

[launch]
grid = ["n // 128", "m // 128"]
block = ["256"]
dynamic_shared = "stages * 16384"

[[arguments]]
buffer = "a"
type = "f16"
count = "m * k"
fill = "random:1"

[[arguments]]
buffer = "b"
type = "f16"
count = "n * k"
fill = "random:2"

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
// b is given by columns. Rows of 32 halves are four pieces of 16 bytes, which are put in another order in every second row.
template <int Stages, bool Swizzled>
__global__ void __launch_bounds__(256) mmaSwizzled(const unsigned short* a, const unsigned short* b, float* c, int n, int k)
{
    extern __shared__ __align__(128) unsigned char shared[];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = warp / 2 * 32, column = warp % 2 * 64;
    const unsigned base = (unsigned)__cvta_generic_to_shared(shared);
    auto place = [&](int stage, bool ofB, int r, int piece) {
        return base + stage * 16384 + ofB * 8192 + r * 64 + (Swizzled ? piece ^ (r / 2 % 4) : piece) * 16;
    };
    auto fetch = [&](int stage, int from) {
        for (int i = threadIdx.x; i < 512; i += 256) {
            const int r = i / 4, piece = i % 4;
            const unsigned short* x = a + (size_t)(blockIdx.y * 128 + r) * k + from + piece * 8;
            const unsigned short* y = b + (size_t)(blockIdx.x * 128 + r) * k + from + piece * 8;
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place(stage, false, r, piece)), "l"(x));
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place(stage, true, r, piece)), "l"(y));
        }
    };
    float sum[2][8][4] = {};
    const int steps = k / 32;
    for (int s = 0; s < Stages - 1; ++s) {
        if (s < steps)
            fetch(s, s * 32);
        asm volatile("cp.async.commit_group;");
    }
    for (int step = 0; step < steps; ++step) {
        asm volatile("cp.async.wait_group %0;" ::"n"(Stages - 2));
        __syncthreads();
        const int next = step + Stages - 1;
        if (next < steps)
            fetch(next % Stages, next * 32);
        asm volatile("cp.async.commit_group;");
        const int stage = step % Stages;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            unsigned x[2][4], y[4][4];
#pragma unroll
            for (int i = 0; i < 2; ++i)
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                             : "=r"(x[i][0]), "=r"(x[i][1]), "=r"(x[i][2]), "=r"(x[i][3])
                             : "r"(place(stage, false, row + 16 * i + lane % 16, half * 2 + lane / 16)));
#pragma unroll
            for (int j = 0; j < 4; ++j)
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                             : "=r"(y[j][0]), "=r"(y[j][1]), "=r"(y[j][2]), "=r"(y[j][3])
                             : "r"(place(stage, true, column + 16 * j + lane % 8 + lane / 16 * 8, half * 2 + lane / 8 % 2)));
#pragma unroll
            for (int i = 0; i < 2; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                                 : "+f"(sum[i][j][0]), "+f"(sum[i][j][1]), "+f"(sum[i][j][2]), "+f"(sum[i][j][3])
                                 : "r"(x[i][0]), "r"(x[i][1]), "r"(x[i][2]), "r"(x[i][3]), "r"(y[j / 2][j % 2 * 2]), "r"(y[j / 2][j % 2 * 2 + 1]));
        }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                float2* to = (float2*)&c[(size_t)(blockIdx.y * 128 + row + 16 * i + lane / 4 + 8 * h) * n + blockIdx.x * 128 + column + 8 * j + lane % 4 * 2];
                *to = make_float2(sum[i][j][2 * h], sum[i][j][2 * h + 1]);
            }
}
