// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "binomial_tree"
title = "American puts by a binomial tree, a block an option, two levels in shared memory"
entry = "binomialTree"

[[parameters]]
name = "options"
default = 1056
min = 1
max = 65536

[[parameters]]
name = "steps"
default = 512
min = 8
max = 2047

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[launch]
grid = ["options"]
block = ["block"]

[[arguments]]
buffer = "options"
type = "f32"
count = "4 * options"
fill = "random:1"

[[arguments]]
buffer = "prices"
type = "f32"
count = "options"

[[arguments]]
scalar = "steps"
type = "i32"
--- */
constexpr int kMost = 2048;

__global__ void binomialTree(const float4* __restrict__ options, float* prices, int steps)
{
    __shared__ float level[2][kMost];
    const float4 o = options[blockIdx.x];
    const float spot = 100 + 20 * o.x, strike = 100 + 10 * o.y;
    const float years = 1.25f + o.z, volatility = 0.3f + 0.2f * o.w;
    const float dt = years / steps, up = volatility * sqrtf(dt);
    const float grow = __expf(0.03f * dt), u = __expf(up), d = 1 / u;
    const float p = (grow - d) / (u - d) / grow, q = 1 / grow - p;

    for (int j = threadIdx.x; j <= steps; j += blockDim.x)
        level[0][j] = fmaxf(strike - spot * __expf(up * (2 * j - steps)), 0.0f);
    int now = 0;
    for (int t = steps; t > 0; --t) {
        __syncthreads();
        for (int j = threadIdx.x; j < t; j += blockDim.x) {
            float hold = p * level[now][j + 1] + q * level[now][j];
            float exercise = strike - spot * __expf(up * (2 * j - t + 1));
            level[now ^ 1][j] = fmaxf(hold, exercise);
        }
        now ^= 1;
    }
    if (threadIdx.x == 0)
        prices[blockIdx.x] = level[now][0];
}
