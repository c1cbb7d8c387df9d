// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "asian_paths"
title = "An Asian option by Monte Carlo, Philox numbers, antithetic paths"
entry = "asian<{type}>"

[[parameters]]
name = "paths"
default = 262144
min = 1
max = 16777216

[[parameters]]
name = "steps"
label = "Observations, by fours"
default = 13
min = 1
max = 256

[[parameters]]
name = "block"
default = 128
min = 32
max = 512

[[parameters]]
name = "type"
default = "f32"
types = ["f32", "f64"]

[[legality]]
condition = "block % 32 == 0"
parameters = ["block"]
sentence = "Whole warps."

[launch]
grid = ["min(cdiv(paths, block), 1056)"]
block = ["block"]

[[arguments]]
buffer = "curve"
type = "{type}"
count = "8 * steps"
fill = "random:1"

[[arguments]]
buffer = "total"
type = "f64"
count = "2"

[[arguments]]
buffer = "payoff"
type = "{type}"
count = "paths"

[[arguments]]
scalar = "paths"
type = "i32"

[[arguments]]
scalar = "steps"
type = "i32"

[[arguments]]
scalar = "strike"
type = "{type}"
value = 0.98
--- */
__device__ uint4 philox(uint4 c, uint2 k)
{
#pragma unroll
    for (int r = 0; r < 10; ++r) {
        const unsigned h0 = __umulhi(0xD2511F53u, c.x), l0 = 0xD2511F53u * c.x;
        const unsigned h1 = __umulhi(0xCD9E8D57u, c.z), l1 = 0xCD9E8D57u * c.z;
        c = make_uint4(h1 ^ c.y ^ k.x, l1, h0 ^ c.w ^ k.y, l0);
        k.x += 0x9E3779B9u;
        k.y += 0xBB67AE85u;
    }
    return c;
}

__device__ float2 normals(unsigned a, unsigned b)
{
    const float r = sqrtf(-2.0f * __logf((a + 0.5f) * 2.3283064e-10f)), angle = b * 1.4629180e-9f;
    return make_float2(r * __cosf(angle), r * __sinf(angle));
}

template <class T>
__global__ void __launch_bounds__(512) asian(const T* __restrict__ curve, double* total, T* __restrict__ payoff, int paths, int steps, T strike)
{
    __shared__ volatile double part[2][16];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    double sum = 0, squares = 0;
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < paths; p += gridDim.x * blockDim.x) {
        T up = 1, down = 1, upMean = 0, downMean = 0;
        for (int s = 0; s < steps; ++s) {
            const uint4 bits = philox(make_uint4(p, s, 0, 0), make_uint2(42, 7));
            const float2 n0 = normals(bits.x, bits.y), n1 = normals(bits.z, bits.w);
            const float n[4] = {n0.x, n0.y, n1.x, n1.y};
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const T drift = (T)0.001 * __ldg(curve + 8 * s + 2 * i), vol = (T)0.02 * ((T)1.5 + __ldg(curve + 8 * s + 2 * i + 1));
                up += up * (drift + vol * (T)n[i]);
                down += down * (drift - vol * (T)n[i]);
                upMean += up;
                downMean += down;
            }
        }
        const T scale = (T)0.25 / steps;
        const T a = upMean * scale - strike, b = downMean * scale - strike;
        const T v = ((a > 0 ? a : 0) + (b > 0 ? b : 0)) / 2;
        payoff[p] = v;
        sum += v;
        squares += (double)v * v;
    }
    for (int d = 16; d > 0; d >>= 1) {
        sum += __shfl_down_sync(0xffffffffu, sum, d);
        squares += __shfl_down_sync(0xffffffffu, squares, d);
    }
    if (lane == 0) {
        part[0][warp] = sum;
        part[1][warp] = squares;
    }
    __syncthreads();
    if (threadIdx.x < 2) {
        double all = 0;
        for (int w = 0; w < (int)blockDim.x / 32; ++w)
            all += part[threadIdx.x][w];
        atomicAdd(total + threadIdx.x, all);
    }
}
