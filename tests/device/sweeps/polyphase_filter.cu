// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "polyphase_filter"
title = "Complex samples filtered and decimated, a stretch of the signal in shared memory"
entry = "polyphase<{taps}>"

[[parameters]]
name = "outputs"
default = 131072
min = 1024
max = 1048576

[[parameters]]
name = "channels"
default = 8
min = 1
max = 64

[[parameters]]
name = "factor"
default = 2
min = 1
max = 16

[[parameters]]
name = "taps"
default = 48
min = 4
max = 256

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[[legality]]
condition = "((block - 1) * factor + taps) * 8 + taps * 4 <= 49152"
parameters = ["block", "factor", "taps"]
sentence = "A block needs {((block - 1) * factor + taps) * 8 + taps * 4} bytes of shared memory, at most 49152 are there."

[launch]
grid = ["cdiv(outputs, block)", "channels"]
block = ["block"]
dynamic_shared = "((block - 1) * factor + taps) * 8 + taps * 4"

[[arguments]]
buffer = "in"
type = "f32"
count = "2 * channels * (outputs * factor + taps)"
fill = "random:1"

[[arguments]]
buffer = "weights"
type = "f32"
count = "taps"
fill = "random:2"

[[arguments]]
buffer = "out"
type = "f32"
count = "2 * channels * outputs"

[[arguments]]
scalar = "outputs"
type = "i32"

[[arguments]]
scalar = "factor"
type = "i32"
--- */
template <int Taps>
__global__ void polyphase(const float2* in, const float* weights, float2* out, int outputs, int factor)
{
    extern __shared__ float2 samples[];
    const int count = (blockDim.x - 1) * factor + Taps, length = outputs * factor + Taps;
    float* w = reinterpret_cast<float*>(samples + count);
    const float2* signal = in + (size_t)blockIdx.y * length;
    const int start = blockIdx.x * blockDim.x * factor;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        samples[i] = start + i < length ? signal[start + i] : make_float2(0, 0);
    for (int i = threadIdx.x; i < Taps; i += blockDim.x)
        w[i] = weights[i];
    __syncthreads();
    const int o = blockIdx.x * blockDim.x + threadIdx.x;
    if (o >= outputs)
        return;
    const float2* s = samples + threadIdx.x * factor;
    float2 sum = make_float2(0, 0);
#pragma unroll 8
    for (int t = 0; t < Taps; ++t) {
        sum.x += w[t] * s[t].x;
        sum.y += w[t] * s[t].y;
    }
    out[(size_t)blockIdx.y * outputs + o] = sum;
}
