// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "walsh_shared"
title = "Walsh-Hadamard transforms in shared memory, two elements a thread"
entry = "walsh"

[[parameters]]
name = "n"
default = 16777216
min = 64
max = 268435456

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["n // (2 * block)"]
block = ["block"]
dynamic_shared = "2 * block * 4"

[[arguments]]
buffer = "data"
type = "f32"
count = "n"
fill = "random:1"
--- */
extern __shared__ float s[];
__global__ void walsh(float* data)
{
    float* mine = data + (size_t)blockIdx.x * blockDim.x * 2;
    s[threadIdx.x] = mine[threadIdx.x];
    s[threadIdx.x + blockDim.x] = mine[threadIdx.x + blockDim.x];
    for (int h = blockDim.x; h > 0; h /= 2) {
        __syncthreads();
        int lo = threadIdx.x % h, i = (threadIdx.x - lo) * 2 + lo;
        float a = s[i], b = s[i + h];
        s[i] = a + b;
        s[i + h] = a - b;
    }
    __syncthreads();
    mine[threadIdx.x] = s[threadIdx.x];
    mine[threadIdx.x + blockDim.x] = s[threadIdx.x + blockDim.x];
}
