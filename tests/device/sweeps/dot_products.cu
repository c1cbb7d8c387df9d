// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "dot_products"
title = "Dot products of pairs of rows, a warp a pair"
entry = "dots"

[[parameters]]
name = "rows"
default = 32768
min = 1
max = 1000000

[[parameters]]
name = "cols"
default = 256
min = 32
max = 8192

[[parameters]]
name = "warps"
default = 8
min = 1
max = 32

[launch]
grid = ["cdiv(rows, warps)"]
block = ["32", "warps"]

[[arguments]]
buffer = "a"
type = "f32"
count = "rows * cols"
fill = "random:1"

[[arguments]]
buffer = "b"
type = "f32"
count = "rows * cols"
fill = "random:2"

[[arguments]]
buffer = "out"
type = "f32"
count = "rows"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "cols"
type = "i32"
--- */
__global__ void dots(const float4* a, const float4* b, float* out, int rows, int cols)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = threadIdx.x; i < cols / 4; i += 32) {
        float4 x = a[(size_t)row * (cols / 4) + i], y = b[(size_t)row * (cols / 4) + i];
        sum += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    }
    for (int o = 16; o > 0; o >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, o);
    if (threadIdx.x == 0)
        out[row] = sum;
}
