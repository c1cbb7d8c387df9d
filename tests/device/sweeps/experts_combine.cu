// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "experts_combine"
title = "Outputs of some experts weighted onto each token, eight bfloat16 at a time"
entry = "expertsCombine<{experts}>"

[[parameters]]
name = "tokens"
default = 4096
min = 1
max = 65536

[[parameters]]
name = "dim"
default = 2048
min = 8
max = 16384

[[parameters]]
name = "experts"
default = 2
min = 1
max = 8

[[parameters]]
name = "block_x"
default = 64
min = 8
max = 1024

[[parameters]]
name = "block_y"
default = 4
min = 1
max = 64

[[legality]]
condition = "block_x * block_y <= 1024"
parameters = ["block_x", "block_y"]
sentence = "A block has {block_x * block_y} threads, at most 1024 fit."

[[legality]]
condition = "dim % 8 == 0"
parameters = ["dim"]
sentence = "Rows are read eight elements at a time."

[launch]
grid = ["cdiv(tokens, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "residual"
type = "bf16"
count = "tokens * dim"
fill = "random:1"

[[arguments]]
buffer = "outputs"
type = "bf16"
count = "tokens * dim * experts"
fill = "random:2"

[[arguments]]
buffer = "weights"
type = "f32"
count = "tokens * experts"
fill = "random:3"

[[arguments]]
buffer = "result"
type = "bf16"
count = "tokens * dim"

[[arguments]]
scalar = "tokens"
type = "i32"

[[arguments]]
scalar = "dim"
type = "i32"
--- */
#include <cuda_bf16.h>

struct alignas(16) Eight {
    __nv_bfloat162 pair[4];
};

template <int Experts>
__global__ void expertsCombine(const __nv_bfloat16* residual, const __nv_bfloat16* outputs, const float* weights,
    __nv_bfloat16* result, int tokens, int dim)
{
    int token = blockIdx.x * blockDim.y + threadIdx.y;
    if (token >= tokens)
        return;
    float weight[Experts];
#pragma unroll
    for (int e = 0; e < Experts; ++e)
        weight[e] = weights[token * Experts + e];
    const Eight* own = reinterpret_cast<const Eight*>(residual + (size_t)token * dim);
    Eight* to = reinterpret_cast<Eight*>(result + (size_t)token * dim);
    for (int d = threadIdx.x; d < dim / 8; d += blockDim.x) {
        Eight v = own[d];
        float2 sum[4];
        for (int p = 0; p < 4; ++p)
            sum[p] = __bfloat1622float2(v.pair[p]);
#pragma unroll
        for (int e = 0; e < Experts; ++e) {
            Eight y = reinterpret_cast<const Eight*>(outputs + ((size_t)token * Experts + e) * dim)[d];
            for (int p = 0; p < 4; ++p) {
                float2 f = __bfloat1622float2(y.pair[p]);
                sum[p].x += weight[e] * f.x;
                sum[p].y += weight[e] * f.y;
            }
        }
        for (int p = 0; p < 4; ++p)
            v.pair[p] = __floats2bfloat162_rn(sum[p].x, sum[p].y);
        to[d] = v;
    }
}
