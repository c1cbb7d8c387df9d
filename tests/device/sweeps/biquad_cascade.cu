// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "biquad_cascade"
title = "Equalizer: second-order sections in a row, a thread a channel, samples staged in shared memory"
entry = "equalize<{sections},{pad}>"

[[parameters]]
name = "channels"
default = 8192
min = 32
max = 65536

[[parameters]]
name = "samples"
default = 480
min = 1
max = 65536

[[parameters]]
name = "sections"
default = 3
min = 1
max = 8

[[parameters]]
name = "pad"
default = 1
min = 0
max = 4

[launch]
grid = ["cdiv(channels, 64)"]
block = [64]

[[arguments]]
buffer = "in"
type = "f32"
count = "channels * samples"
fill = "random:1"

[[arguments]]
buffer = "coefficients"
type = "f32"
count = "channels * sections * 5"
fill = "random:2"

[[arguments]]
buffer = "state"
type = "f32"
count = "channels * sections * 2"
fill = "random:3"

[[arguments]]
buffer = "out"
type = "f32"
count = "channels * samples"

[[arguments]]
scalar = "channels"
type = "i32"

[[arguments]]
scalar = "samples"
type = "i32"
--- */
template <int Sections, int Pad>
__global__ void __launch_bounds__(64) equalize(const float* __restrict__ in, const float* __restrict__ coefficients, const float2* __restrict__ state,
    float* __restrict__ out, int channels, int samples)
{
    constexpr int Block = 64, Steps = 32;
    __shared__ float stage[Block][Steps + Pad];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, first = blockIdx.x * Block, channel = first + threadIdx.x;
    const bool live = channel < channels;
    float k[Sections][5];
    float2 s[Sections];
    for (int i = 0; i < Sections; ++i) {
        for (int j = 0; j < 5; ++j)
            k[i][j] = live ? 0.4f * coefficients[(channel * Sections + i) * 5 + j] : 0.0f;
        s[i] = live ? state[i * channels + channel] : make_float2(0, 0);
    }
    for (int start = 0; start < samples; start += Steps) {
        const bool has = start + lane < samples;
        for (int row = warp; row < Block; row += Block / 32)
            if (has && first + row < channels)
                stage[row][lane] = in[(size_t)(first + row) * samples + start + lane];
        __syncthreads();
        const int steps = min(Steps, samples - start);
#pragma unroll 4
        for (int t = 0; t < steps; ++t) {
            float x = stage[threadIdx.x][t];
#pragma unroll
            for (int i = 0; i < Sections; ++i) {
                const float y = k[i][0] * x + s[i].x;
                s[i].x = k[i][1] * x - k[i][3] * y + s[i].y;
                s[i].y = k[i][2] * x - k[i][4] * y;
                x = y;
            }
            stage[threadIdx.x][t] = x;
        }
        __syncthreads();
        for (int row = warp; row < Block; row += Block / 32)
            if (has && first + row < channels)
                out[(size_t)(first + row) * samples + start + lane] = stage[row][lane];
        __syncthreads();
    }
}
