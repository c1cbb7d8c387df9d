// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "selective_scan"
title = "Selective state space (Mamba) in bfloat16, a thread a channel, steps in chunks"
entry = "selective<{states}>"

[[parameters]]
name = "batch"
default = 8
min = 1
max = 1024

[[parameters]]
name = "length"
default = 200
min = 1
max = 8192

[[parameters]]
name = "states"
default = 16
min = 4
max = 32
presets = [8, 16]

[[parameters]]
name = "block"
default = 64
min = 32
max = 512

[[legality]]
condition = "states % 4 == 0"
parameters = ["states"]
sentence = "States by fours."

[launch]
grid = ["cdiv(1536, block)", "batch"]
block = ["block"]
dynamic_shared = "2 * 32 * states * 4"

[[arguments]]
buffer = "u"
type = "bf16"
count = "batch * length * 1536"
fill = "random:1"

[[arguments]]
buffer = "delta"
type = "bf16"
count = "batch * length * 1536"
fill = "random:2"

[[arguments]]
buffer = "a"
type = "f32"
count = "1536 * states"
fill = "random:3"

[[arguments]]
buffer = "b"
type = "bf16"
count = "batch * length * states"
fill = "random:4"

[[arguments]]
buffer = "c"
type = "bf16"
count = "batch * length * states"
fill = "random:5"

[[arguments]]
buffer = "skip"
type = "f32"
count = "1536"
fill = "random:6"

[[arguments]]
buffer = "y"
type = "bf16"
count = "batch * length * 1536"

[[arguments]]
scalar = "length"
type = "i32"

[[arguments]]
scalar = "channels"
type = "i32"
value = 1536
--- */
#include <cuda_bf16.h>

constexpr int Chunk = 32;

template <int States>
__global__ void selective(const __nv_bfloat16* __restrict__ u, const __nv_bfloat16* __restrict__ delta, const float* __restrict__ a,
    const __nv_bfloat16* __restrict__ b, const __nv_bfloat16* __restrict__ c, const float* __restrict__ skip, __nv_bfloat16* __restrict__ y,
    int length, int channels)
{
    extern __shared__ float4 staged[];
    float* const sb = reinterpret_cast<float*>(staged);
    float* const sc = sb + Chunk * States;
    const int channel = blockIdx.x * blockDim.x + threadIdx.x;
    const bool live = channel < channels;
    const size_t first = (size_t)blockIdx.y * length;

    float decay[States], state[States];
    float pass = 0;
    if (live) {
        const float4* from = reinterpret_cast<const float4*>(a + (size_t)channel * States);
#pragma unroll
        for (int s = 0; s < States / 4; ++s) {
            const float4 v = from[s];
            decay[4 * s] = -1.5f - v.x;
            decay[4 * s + 1] = -1.5f - v.y;
            decay[4 * s + 2] = -1.5f - v.z;
            decay[4 * s + 3] = -1.5f - v.w;
        }
        pass = skip[channel];
    }
#pragma unroll
    for (int s = 0; s < States; ++s)
        state[s] = 0;

    for (int start = 0; start < length; start += Chunk) {
        const int steps = min(Chunk, length - start);
        for (int i = threadIdx.x; i < steps * States; i += blockDim.x) {
            sb[i] = __bfloat162float(b[(first + start) * States + i]);
            sc[i] = __bfloat162float(c[(first + start) * States + i]);
        }
        __syncthreads();
        if (live) {
            for (int t = 0; t < steps; ++t) {
                const size_t at = (first + start + t) * channels + channel;
                const float x = __bfloat162float(u[at]), raw = __bfloat162float(delta[at]);
                const float step = raw > 20.0f ? raw : __logf(1.0f + __expf(raw));
                float sum = pass * x;
#pragma unroll
                for (int s = 0; s < States; ++s) {
                    state[s] = state[s] * __expf(step * decay[s]) + step * x * sb[t * States + s];
                    sum += state[s] * sc[t * States + s];
                }
                y[at] = __float2bfloat16(sum);
            }
        }
        __syncthreads();
    }
}
