// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "quantize_rows"
title = "Rows of floats to bytes with a scale of their own"
entry = "quantize"

[[parameters]]
name = "rows"
default = 4096
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 4096
min = 4
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
type = "i8"
count = "rows * cols"

[[arguments]]
buffer = "scales"
type = "f32"
count = "rows"

[[arguments]]
scalar = "cols"
type = "i32"
--- */
__global__ void quantize(const float* in, signed char* out, float* scales, int cols)
{
    __shared__ float part[32];
    const float* row = in + (size_t)blockIdx.x * cols;
    float greatest = 0;
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        greatest = fmaxf(greatest, fabsf(row[i]));
    for (int o = 16; o > 0; o >>= 1)
        greatest = fmaxf(greatest, __shfl_xor_sync(0xffffffffu, greatest, o));
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = greatest;
    __syncthreads();
    greatest = threadIdx.x % 32 < blockDim.x / 32 ? part[threadIdx.x % 32] : 0;
    for (int o = 16; o > 0; o >>= 1)
        greatest = fmaxf(greatest, __shfl_xor_sync(0xffffffffu, greatest, o));
    float scale = 127 / fmaxf(greatest, 1e-8f);
    if (threadIdx.x == 0)
        scales[blockIdx.x] = 1 / scale;
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        out[(size_t)blockIdx.x * cols + i] = (signed char)__float2int_rn(row[i] * scale);
}
