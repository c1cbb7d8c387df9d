// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "pair_distances"
title = "Squared distances of all pairs, tiles of both in shared memory"
entry = "distances<{tile}>"

[[parameters]]
name = "n"
default = 4096
min = 64
max = 32768

[[parameters]]
name = "dim"
default = 32
min = 4
max = 256

[[parameters]]
name = "tile"
default = 16
min = 8
max = 32

[launch]
grid = ["cdiv(n, tile)", "cdiv(n, tile)"]
block = ["tile", "tile"]

[[arguments]]
buffer = "a"
type = "f32"
count = "n * dim"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "n * n"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "dim"
type = "i32"
--- */
template <int Tile> __global__ void distances(const float* a, float* out, int n, int dim)
{
    __shared__ float rows[Tile][33], cols[Tile][33];
    int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
    float sum = 0;
    for (int first = 0; first < dim; first += 32) {
        for (int d = threadIdx.x; d < 32; d += Tile) {
            rows[threadIdx.y][d] = a[y * dim + first + d];
            cols[threadIdx.y][d] = a[(blockIdx.x * Tile + threadIdx.y) * dim + first + d];
        }
        __syncthreads();
        for (int d = 0; d < 32; ++d) {
            float apart = rows[threadIdx.y][d] - cols[threadIdx.x][d];
            sum += apart * apart;
        }
        __syncthreads();
    }
    out[(size_t)y * n + x] = sum;
}
