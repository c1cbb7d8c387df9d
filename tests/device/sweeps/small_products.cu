// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "small_products"
title = "4 x 4 matrices, a thread a product"
entry = "products"

[[parameters]]
name = "n"
default = 524288
min = 1
max = 10000000

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]

[[arguments]]
buffer = "a"
type = "f32"
count = "16 * n"
fill = "random:1"

[[arguments]]
buffer = "b"
type = "f32"
count = "16 * n"
fill = "random:2"

[[arguments]]
buffer = "c"
type = "f32"
count = "16 * n"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void products(const float4* a, const float4* b, float4* c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 rows[4];
    for (int k = 0; k < 4; ++k)
        rows[k] = b[4 * i + k];
    for (int r = 0; r < 4; ++r) {
        float4 v = a[4 * i + r];
        float4 s;
        s.x = v.x * rows[0].x + v.y * rows[1].x + v.z * rows[2].x + v.w * rows[3].x;
        s.y = v.x * rows[0].y + v.y * rows[1].y + v.z * rows[2].y + v.w * rows[3].y;
        s.z = v.x * rows[0].z + v.y * rows[1].z + v.z * rows[2].z + v.w * rows[3].z;
        s.w = v.x * rows[0].w + v.y * rows[1].w + v.z * rows[2].w + v.w * rows[3].w;
        c[4 * i + r] = s;
    }
}
