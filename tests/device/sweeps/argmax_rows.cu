// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "argmax_rows"
title = "Greatest of each row, a block a row"
entry = "argmax"

[[parameters]]
name = "rows"
default = 4096
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 4000
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
buffer = "in"
type = "f32"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "i32"
count = "rows"

[[arguments]]
scalar = "cols"
type = "i32"
--- */
__global__ void argmax(const float* in, int* out, int cols)
{
    __shared__ float best[1024];
    __shared__ int where[1024];
    const float* row = in + (size_t)blockIdx.x * cols;
    float b = -1e30f;
    int w = 0;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) {
        float v = row[i];
        if (v > b) {
            b = v;
            w = i;
        }
    }
    best[threadIdx.x] = b;
    where[threadIdx.x] = w;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s && best[threadIdx.x + s] > best[threadIdx.x]) {
            best[threadIdx.x] = best[threadIdx.x + s];
            where[threadIdx.x] = where[threadIdx.x + s];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = where[0];
}
