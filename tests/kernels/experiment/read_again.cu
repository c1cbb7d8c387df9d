// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "read_again"
title = "Rows that a block reads several times"
entry = "readAgain"

[[parameters]]
name = "blocks"
default = 264
min = 1
max = 65536

[[parameters]]
name = "kb"
default = 16
min = 1
max = 224

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[parameters]]
name = "passes"
default = 2
min = 1
max = 16

[[parameters]]
name = "shared"
default = 0
min = 0
max = 200000

[[parameters]]
name = "store"
default = 0
min = 0
max = 1

[launch]
grid = ["blocks"]
block = ["block"]
dynamic_shared = "shared"

[[arguments]]
buffer = "in"
type = "f32"
count = "blocks * kb * 256"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "blocks * kb * 256"

[[arguments]]
scalar = "count"
type = "i32"
value = "kb * 64"

[[arguments]]
scalar = "passes"
type = "i32"

[[arguments]]
scalar = "store"
type = "i32"
--- */
__global__ void readAgain(const float4* in, float4* out, int count, int passes, int store)
{
    const float4* row = in + (size_t)blockIdx.x * count;
    float4* to = out + (size_t)blockIdx.x * count;
    float sum = 0;
    for (int pass = 0; pass < passes; ++pass) {
        for (int i = threadIdx.x; i < count; i += blockDim.x) {
            float4 v = row[i];
            sum += v.x + v.y + v.z + v.w;
            if (store && pass == passes - 1)
                to[i] = make_float4(sum, sum, sum, sum);
        }
        __syncthreads();
    }
    if (passes == 77)
        to[0] = make_float4(sum, sum, sum, sum);
}
