// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "cross_entropy"
title = "Loss and gradient of rows of logits, a block a row"
entry = "loss"

[[parameters]]
name = "rows"
default = 4096
min = 1
max = 65536

[[parameters]]
name = "classes"
default = 4096
min = 32
max = 65536

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["rows"]
block = ["block"]

[[arguments]]
buffer = "logits"
type = "f32"
count = "rows * classes"
fill = "random:1"

[[arguments]]
buffer = "targets"
type = "u32"
count = "rows"
fill = "random:2"

[[arguments]]
buffer = "gradient"
type = "f32"
count = "rows * classes"

[[arguments]]
buffer = "losses"
type = "f32"
count = "rows"

[[arguments]]
scalar = "classes"
type = "i32"
--- */
__device__ float sumOf(float value, float* parts)
{
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(0xffffffff, value, step);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = value;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < (blockDim.x + 31) / 32; ++i)
        sum += parts[i];
    __syncthreads();
    return sum;
}
__global__ void loss(const float* logits, const unsigned* targets, float* gradient, float* losses, int classes)
{
    __shared__ float parts[32];
    const float* row = logits + (size_t)blockIdx.x * classes;
    float* out = gradient + (size_t)blockIdx.x * classes;
    float sum = 0;
    for (int i = threadIdx.x; i < classes; i += blockDim.x)
        sum += __expf(row[i]);
    sum = sumOf(sum, parts);
    int target = targets[blockIdx.x] % classes;
    for (int i = threadIdx.x; i < classes; i += blockDim.x)
        out[i] = __expf(row[i]) / sum - (i == target ? 1.0f : 0.0f);
    if (threadIdx.x == 0)
        losses[blockIdx.x] = logf(sum) - row[target];
}
