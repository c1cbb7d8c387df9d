// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "charge_deposit"
title = "Charges of particles spread over the four nodes around each, by atomics"
entry = "chargeDeposit"

[[parameters]]
name = "n"
default = 1048576
min = 32
max = 16777216

[[parameters]]
name = "cells"
default = 512
min = 16
max = 4096

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]

[[arguments]]
buffer = "place"
type = "f32"
count = "2 * n"
fill = "random:1"

[[arguments]]
buffer = "charge"
type = "f32"
count = "n"
fill = "random:2"

[[arguments]]
buffer = "density"
type = "f32"
count = "(cells + 1) * (cells + 1)"

[[arguments]]
scalar = "cells"
type = "i32"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void chargeDeposit(const float2* place, const float* charge, float* density, int cells, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float2 p = place[i]; // in [-1, 1)
    float x = (0.5f * p.x + 0.5f) * cells, y = (0.5f * p.y + 0.5f) * cells;
    int cx = min((int)x, cells - 1), cy = min((int)y, cells - 1);
    float fx = x - cx, fy = y - cy, q = charge[i];
    float* node = density + cy * (cells + 1) + cx;
    atomicAdd(node, q * (1 - fx) * (1 - fy));
    atomicAdd(node + 1, q * fx * (1 - fy));
    atomicAdd(node + cells + 1, q * (1 - fx) * fy);
    atomicAdd(node + cells + 2, q * fx * fy);
}
