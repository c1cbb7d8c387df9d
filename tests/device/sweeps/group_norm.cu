// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "group_norm"
title = "Group normalisation, a block a group, four floats at a time"
entry = "groupNorm"

[[parameters]]
name = "groups"
default = 1024
min = 1
max = 65536

[[parameters]]
name = "elements"
default = 8192
min = 128
max = 1048576

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["groups"]
block = ["block"]

[[arguments]]
buffer = "x"
type = "f32"
count = "groups * elements"
fill = "random:1"

[[arguments]]
buffer = "y"
type = "f32"
count = "groups * elements"

[[arguments]]
scalar = "elements"
type = "i32"
--- */
__inline__ __device__ float warpSum(float v)
{
    for (int offset = 16; offset > 0; offset >>= 1)
        v += __shfl_xor_sync(0xffffffffu, v, offset);
    return v;
}
__global__ void groupNorm(const float* x, float* y, int elements)
{
    __shared__ float sums[32], squares[32];
    const float4* in = reinterpret_cast<const float4*>(x + (size_t)blockIdx.x * elements);
    float4* out = reinterpret_cast<float4*>(y + (size_t)blockIdx.x * elements);
    float sum = 0, square = 0;
    for (int i = threadIdx.x; i < elements / 4; i += blockDim.x) {
        float4 v = in[i];
        sum += v.x + v.y + v.z + v.w;
        square += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    sum = warpSum(sum);
    square = warpSum(square);
    if (threadIdx.x % 32 == 0) {
        sums[threadIdx.x / 32] = sum;
        squares[threadIdx.x / 32] = square;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = warpSum(threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0);
        square = warpSum(threadIdx.x < blockDim.x / 32 ? squares[threadIdx.x] : 0);
        if (threadIdx.x == 0) {
            sums[0] = sum / elements;
            squares[0] = rsqrtf(square / elements - sum / elements * (sum / elements) + 1e-5f);
        }
    }
    __syncthreads();
    const float mean = sums[0], scale = squares[0];
    for (int i = threadIdx.x; i < elements / 4; i += blockDim.x) {
        float4 v = in[i];
        out[i] = make_float4((v.x - mean) * scale, (v.y - mean) * scale, (v.z - mean) * scale, (v.w - mean) * scale);
    }
}
