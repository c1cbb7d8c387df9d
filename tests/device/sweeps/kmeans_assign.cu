// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "kmeans_assign"
title = "Nearest of some centroids, which a block keeps in shared memory"
entry = "assign<{dim}>"

[[parameters]]
name = "points"
default = 1048576
min = 32
max = 10000000

[[parameters]]
name = "centroids"
default = 32
min = 1
max = 512

[[parameters]]
name = "dim"
default = 4
min = 1
max = 16

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(points, block)"]
block = ["block"]
dynamic_shared = "4 * dim * centroids"

[[arguments]]
buffer = "x"
type = "f32"
count = "dim * points"
fill = "random:1"

[[arguments]]
buffer = "c"
type = "f32"
count = "dim * centroids"
fill = "random:2"

[[arguments]]
buffer = "nearest"
type = "i32"
count = "points"

[[arguments]]
scalar = "points"
type = "i32"

[[arguments]]
scalar = "centroids"
type = "i32"
--- */
template <int Dim> __global__ void assign(const float* x, const float* c, int* nearest, int points, int centroids)
{
    extern __shared__ float centres[];
    for (int i = threadIdx.x; i < Dim * centroids; i += blockDim.x)
        centres[i] = c[i];
    __syncthreads();
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= points)
        return;
    float own[Dim];
    for (int d = 0; d < Dim; ++d)
        own[d] = x[(size_t)d * points + p];
    float least = 1e30f;
    int best = 0;
    for (int k = 0; k < centroids; ++k) {
        float sum = 0;
        for (int d = 0; d < Dim; ++d) {
            float apart = own[d] - centres[k * Dim + d];
            sum += apart * apart;
        }
        best = sum < least ? k : best;
        least = fminf(sum, least);
    }
    nearest[p] = best;
}
