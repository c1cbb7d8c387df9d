// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "rows_softmax"
title = "Softmax of rows in registers and shared memory, three passes"
entry = "softmax"

[[parameters]]
name = "rows"
default = 8192
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 1000
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
type = "f32"
count = "rows * cols"

[[arguments]]
scalar = "cols"
type = "i32"
--- */
__device__ float blockReduce(float v, bool wantMax)
{
    __shared__ float s[1024];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (threadIdx.x < step)
            s[threadIdx.x] = wantMax ? fmaxf(s[threadIdx.x], s[threadIdx.x + step]) : s[threadIdx.x] + s[threadIdx.x + step];
        __syncthreads();
    }
    float r = s[0];
    __syncthreads();
    return r;
}
__global__ void softmax(const float* in, float* out, int cols)
{
    const float* row = in + (size_t)blockIdx.x * cols;
    float m = -1e30f, sum = 0;
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        m = fmaxf(m, row[i]);
    m = blockReduce(m, true);
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        sum += __expf(row[i] - m);
    sum = blockReduce(sum, false);
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        out[(size_t)blockIdx.x * cols + i] = __expf(row[i] - m) / sum;
}
