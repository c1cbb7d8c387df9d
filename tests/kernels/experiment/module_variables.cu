// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "module_variables"
title = "Variables of the module, as ptxas places them"
entry = "sumOfVariables"

[[parameters]]
name = "block"
default = 64
min = 32
max = 1024

[launch]
grid = [4]
block = ["block"]

[[arguments]]
buffer = "out"
type = "f32"
count = "4 * block"
--- */
__device__ int counter;
__device__ double sums[3];
__device__ float buf[1024];
__device__ int offset = 3;
__device__ char flags[100];
__device__ short tail[33];

extern "C" __global__ void sumOfVariables(float* out)
{
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    out[i] = buf[i] + counter + sums[t % 3] + flags[t % 100] + tail[t % 33] + offset;
}
