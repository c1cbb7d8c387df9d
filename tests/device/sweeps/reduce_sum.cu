// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "reduce_sum"
title = "Sum of a vector: grid-stride loop, shuffles, an atomic a block"
entry = "reduceSum"

[[parameters]]
name = "n"
default = 33554432
min = 1024
max = 268435456

[[parameters]]
name = "blocks"
default = 1056
min = 1
max = 65535

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["blocks"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "f32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "1"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void reduceSum(const float* in, float* out, int n)
{
    __shared__ float partial[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += in[i];
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    if (lane == 0)
        partial[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < (blockDim.x + warpSize - 1) / warpSize ? partial[lane] : 0;
        for (int offset = warpSize / 2; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        if (lane == 0)
            atomicAdd(out, sum);
    }
}
