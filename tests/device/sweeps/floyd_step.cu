// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "floyd_step"
title = "A step of Floyd and Warshall: all pairs by way of one vertex"
entry = "relax"

[[parameters]]
name = "n"
default = 4096
min = 32
max = 16384

[[parameters]]
name = "k"
default = 100
min = 0
max = 16383

[[parameters]]
name = "block_x"
default = 32
min = 4
max = 1024

[[parameters]]
name = "block_y"
default = 8
min = 1
max = 64

[launch]
grid = ["cdiv(n, block_x)", "cdiv(n, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "distance"
type = "i32"
count = "n * n"
fill = "random:1"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "k"
type = "i32"
--- */
__global__ void relax(int* distance, int n, int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        int direct = distance[i * n + j];
        int around = distance[i * n + k] + distance[k * n + j];
        distance[i * n + j] = direct < around ? direct : around;
    }
}
