// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "rms_backward"
title = "Gradients of RMS norm in bfloat16, some rows a block, those of the weights per block"
entry = "backward<{quads}>"

[[parameters]]
name = "rows"
default = 4096
min = 1
max = 65536

[[parameters]]
name = "per"
label = "Rows a block"
default = 8
min = 1
max = 128

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[parameters]]
name = "quads"
label = "Fours of columns a thread"
default = 2
min = 1
max = 8

[[legality]]
condition = "rows % per == 0"
parameters = ["rows", "per"]
sentence = "The rows ({rows}) must be a multiple of those of a block ({per})."

[[legality]]
condition = "block % 32 == 0"
parameters = ["block"]
sentence = "Whole warps."

[launch]
grid = ["rows // per"]
block = ["block"]

[[arguments]]
buffer = "x"
type = "bf16"
count = "rows * block * quads * 4"
fill = "random:1"

[[arguments]]
buffer = "dy"
type = "bf16"
count = "rows * block * quads * 4"
fill = "random:2"

[[arguments]]
buffer = "weight"
type = "f32"
count = "block * quads * 4"
fill = "random:3"

[[arguments]]
buffer = "scale"
type = "f32"
count = "rows"
fill = "random:4"

[[arguments]]
buffer = "dx"
type = "bf16"
count = "rows * block * quads * 4"

[[arguments]]
buffer = "dweight"
type = "f32"
count = "rows // per * block * quads * 4"

[[arguments]]
scalar = "per"
type = "i32"
--- */
#include <cuda_bf16.h>

struct alignas(8) Four {
    __nv_bfloat162 low, high;
};

template <int Quads>
__global__ void backward(const Four* __restrict__ x, const Four* __restrict__ dy, const float4* __restrict__ weight,
    const float* __restrict__ scale, Four* __restrict__ dx, float4* __restrict__ dweight, int per)
{
    __shared__ float parts[2][32];
    const int quads = blockDim.x * Quads;
    float4 w[Quads], sum[Quads];
#pragma unroll
    for (int q = 0; q < Quads; ++q) {
        w[q] = weight[q * blockDim.x + threadIdx.x];
        sum[q] = make_float4(0, 0, 0, 0);
    }
    for (int r = 0; r < per; ++r) {
        const size_t row = (size_t)blockIdx.x * per + r;
        const float s = scale[row];
        float4 a[Quads], g[Quads];
        float dot = 0;
#pragma unroll
        for (int q = 0; q < Quads; ++q) {
            const Four xs = x[row * quads + q * blockDim.x + threadIdx.x], ds = dy[row * quads + q * blockDim.x + threadIdx.x];
            const float2 x0 = __bfloat1622float2(xs.low), x1 = __bfloat1622float2(xs.high);
            const float2 d0 = __bfloat1622float2(ds.low), d1 = __bfloat1622float2(ds.high);
            a[q] = make_float4(x0.x * s, x0.y * s, x1.x * s, x1.y * s);
            sum[q].x += d0.x * a[q].x;
            sum[q].y += d0.y * a[q].y;
            sum[q].z += d1.x * a[q].z;
            sum[q].w += d1.y * a[q].w;
            g[q] = make_float4(d0.x * w[q].x, d0.y * w[q].y, d1.x * w[q].z, d1.y * w[q].w);
            dot += g[q].x * a[q].x + g[q].y * a[q].y + g[q].z * a[q].z + g[q].w * a[q].w;
        }
#pragma unroll
        for (int mask = 16; mask; mask >>= 1)
            dot += __shfl_xor_sync(0xffffffffu, dot, mask);
        if ((threadIdx.x & 31) == 0)
            parts[r & 1][threadIdx.x >> 5] = dot;
        __syncthreads();
        float mean = 0;
        for (int i = 0; i < blockDim.x / 32; ++i)
            mean += parts[r & 1][i];
        mean /= 4 * quads;
#pragma unroll
        for (int q = 0; q < Quads; ++q) {
            Four out;
            out.low = __floats2bfloat162_rn(s * (g[q].x - a[q].x * mean), s * (g[q].y - a[q].y * mean));
            out.high = __floats2bfloat162_rn(s * (g[q].z - a[q].z * mean), s * (g[q].w - a[q].w * mean));
            dx[row * quads + q * blockDim.x + threadIdx.x] = out;
        }
    }
#pragma unroll
    for (int q = 0; q < Quads; ++q)
        dweight[(size_t)blockIdx.x * quads + q * blockDim.x + threadIdx.x] = sum[q];
}
