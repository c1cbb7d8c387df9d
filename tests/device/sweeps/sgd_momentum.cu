// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "sgd_momentum"
title = "A step of gradient descent with momentum, four at a time"
entry = "step"

[[parameters]]
name = "n"
default = 16777216
min = 128
max = 268435456

[[parameters]]
name = "per"
default = 1
min = 1
max = 8

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(n // 4, block * per)"]
block = ["block"]

[[arguments]]
buffer = "weights"
type = "f32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "gradient"
type = "f32"
count = "n"
fill = "random:2"

[[arguments]]
buffer = "velocity"
type = "f32"
count = "n"
fill = "random:3"

[[arguments]]
scalar = "n4"
type = "i32"
value = "n // 4"
--- */
__global__ void step(float4* weights, const float4* gradient, float4* velocity, int n4)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) {
        float4 v = velocity[i], g = gradient[i], w = weights[i];
        v.x = 0.9f * v.x + g.x; v.y = 0.9f * v.y + g.y; v.z = 0.9f * v.z + g.z; v.w = 0.9f * v.w + g.w;
        w.x -= 0.01f * v.x; w.y -= 0.01f * v.y; w.z -= 0.01f * v.z; w.w -= 0.01f * v.w;
        velocity[i] = v;
        weights[i] = w;
    }
}
