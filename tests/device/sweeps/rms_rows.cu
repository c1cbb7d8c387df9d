// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "rms_rows"
title = "Root mean square of rows of halves, a warp a row"
entry = "rms"

[[parameters]]
name = "rows"
default = 16384
min = 1
max = 1000000

[[parameters]]
name = "cols"
default = 1024
min = 64
max = 16384

[[parameters]]
name = "warps"
default = 4
min = 1
max = 32

[launch]
grid = ["cdiv(rows, warps)"]
block = ["32", "warps"]

[[arguments]]
buffer = "in"
type = "f16"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f16"
count = "rows * cols"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"
--- */
#include <cuda_fp16.h>
__global__ void rms(const __half* in, __half* out, int rows, int cols)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    const __half2* from = (const __half2*)(in + (size_t)row * cols);
    __half2* to = (__half2*)(out + (size_t)row * cols);
    float sum = 0;
    for (int i = threadIdx.x; i < cols / 2; i += 32) {
        float2 v = __half22float2(from[i]);
        sum += v.x * v.x + v.y * v.y;
    }
    for (int o = 16; o > 0; o >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, o);
    float scale = rsqrtf(sum / cols + 1e-6f);
    for (int i = threadIdx.x; i < cols / 2; i += 32) {
        float2 v = __half22float2(from[i]);
        to[i] = __floats2half2_rn(v.x * scale, v.y * scale);
    }
}
