// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "decode_attention"
title = "Attention of one new token over cached keys and values of halves, a block a head"
entry = "decodeAttention<{dim},{warps}>"

[[parameters]]
name = "heads"
default = 256
min = 1
max = 4096

[[parameters]]
name = "positions"
default = 1024
min = 1
max = 32768

[[parameters]]
name = "dim"
default = 128
min = 64
max = 256
presets = [64, 128, 256]

[[parameters]]
name = "warps"
default = 4
min = 1
max = 32

[[legality]]
condition = "dim % 64 == 0"
parameters = ["dim"]
sentence = "A lane has pairs: the elements ({dim}) must be a multiple of 64."

[launch]
grid = ["heads"]
block = [32, "warps"]

[[arguments]]
buffer = "query"
type = "f16"
count = "heads * dim"
fill = "random:1"

[[arguments]]
buffer = "keys"
type = "f16"
count = "heads * positions * dim"
fill = "random:2"

[[arguments]]
buffer = "values"
type = "f16"
count = "heads * positions * dim"
fill = "random:3"

[[arguments]]
buffer = "out"
type = "f16"
count = "heads * dim"

[[arguments]]
scalar = "positions"
type = "i32"

[[arguments]]
scalar = "scale"
type = "f32"
value = "'0.088388'"
--- */
#include <cuda_fp16.h>

template <int Dim, int Warps>
__global__ void decodeAttention(const half2* query, const half2* keys, const half2* values, half2* out, int positions, float scale)
{
    constexpr int Pairs = Dim / 64; // of a lane
    __shared__ float peaks[Warps], weights[Warps];
    __shared__ float2 parts[Warps][Dim / 2];
    const int lane = threadIdx.x, warp = threadIdx.y, head = blockIdx.x;
    const size_t cache = (size_t)head * positions * (Dim / 2);

    float2 q[Pairs], sum[Pairs];
#pragma unroll
    for (int p = 0; p < Pairs; ++p) {
        q[p] = __half22float2(query[head * (Dim / 2) + p * 32 + lane]);
        q[p].x *= scale;
        q[p].y *= scale;
        sum[p] = make_float2(0.0f, 0.0f);
    }
    float peak = -1e30f, weight = 0;
    for (int at = warp; at < positions; at += Warps) {
        const half2* key = keys + cache + (size_t)at * (Dim / 2);
        float score = 0;
#pragma unroll
        for (int p = 0; p < Pairs; ++p) {
            float2 k = __half22float2(key[p * 32 + lane]);
            score += q[p].x * k.x + q[p].y * k.y;
        }
#pragma unroll
        for (int mask = 16; mask > 0; mask /= 2)
            score += __shfl_xor_sync(0xffffffffu, score, mask);
        float next = fmaxf(peak, score), shrink = __expf(peak - next), grow = __expf(score - next);
        weight = weight * shrink + grow;
        peak = next;
        const half2* value = values + cache + (size_t)at * (Dim / 2);
#pragma unroll
        for (int p = 0; p < Pairs; ++p) {
            float2 v = __half22float2(value[p * 32 + lane]);
            sum[p].x = sum[p].x * shrink + grow * v.x;
            sum[p].y = sum[p].y * shrink + grow * v.y;
        }
    }
    if (lane == 0) {
        peaks[warp] = peak;
        weights[warp] = weight;
    }
#pragma unroll
    for (int p = 0; p < Pairs; ++p)
        parts[warp][p * 32 + lane] = sum[p];
    __syncthreads();

    float top = peaks[0];
    for (int w = 1; w < Warps; ++w)
        top = fmaxf(top, peaks[w]);
    float total = 0;
    for (int w = 0; w < Warps; ++w)
        total += weights[w] * __expf(peaks[w] - top);
    for (int d = warp * 32 + lane; d < Dim / 2; d += Warps * 32) {
        float2 r = make_float2(0.0f, 0.0f);
        for (int w = 0; w < Warps; ++w) {
            float k = __expf(peaks[w] - top) / total;
            r.x += k * parts[w][d].x;
            r.y += k * parts[w][d].y;
        }
        out[head * (Dim / 2) + d] = __float22half2_rn(r);
    }
}
