// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "lattice_collide"
title = "Lattice Boltzmann in three dimensions, 19 directions pulled and relaxed, doubles"
entry = "latticeCollide<{layout}>"

[[parameters]]
name = "nx"
default = 128
min = 8
max = 512

[[parameters]]
name = "ny"
default = 128
min = 8
max = 512

[[parameters]]
name = "nz"
default = 64
min = 4
max = 512

[[parameters]]
name = "layout"
default = "soa"
choices = [{ value = "soa", define = "true" }, { value = "aos", define = "false" }]

[[parameters]]
name = "block_x"
default = 32
min = 1
max = 256

[[parameters]]
name = "block_y"
default = 4
min = 1
max = 64

[[parameters]]
name = "block_z"
default = 1
min = 1
max = 64

[[legality]]
condition = "block_x * block_y * block_z <= 512"
parameters = ["block_x", "block_y", "block_z"]
sentence = "A block has {block_x * block_y * block_z} threads, at most 512 are meant."

[launch]
grid = ["cdiv(nx, block_x)", "cdiv(ny, block_y)", "cdiv(nz, block_z)"]
block = ["block_x", "block_y", "block_z"]

[[arguments]]
buffer = "from"
type = "f64"
count = "19 * nx * ny * nz"
fill = "random:1"

[[arguments]]
buffer = "to"
type = "f64"
count = "19 * nx * ny * nz"

[[arguments]]
scalar = "nx"
type = "i32"

[[arguments]]
scalar = "ny"
type = "i32"

[[arguments]]
scalar = "nz"
type = "i32"

[[arguments]]
scalar = "omega"
type = "f64"
value = "'1.7'"
--- */
__constant__ signed char kX[19] = { 0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0 };
__constant__ signed char kY[19] = { 0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1 };
__constant__ signed char kZ[19] = { 0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1 };

template <bool Planes> __device__ inline size_t place(int direction, size_t cell, size_t cells)
{
    return Planes ? direction * cells + cell : cell * 19 + direction;
}

template <bool Planes>
__global__ void __launch_bounds__(512)
latticeCollide(const double* __restrict__ from, double* __restrict__ to, int nx, int ny, int nz, double omega)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz)
        return;
    size_t cells = (size_t)nx * ny * nz;
    double f[19], rho = 1, ux = 0, uy = 0, uz = 0;
#pragma unroll
    for (int d = 0; d < 19; ++d) {
        int sx = x - kX[d], sy = y - kY[d], sz = z - kZ[d];
        sx += sx < 0 ? nx : sx >= nx ? -nx : 0;
        sy += sy < 0 ? ny : sy >= ny ? -ny : 0;
        sz += sz < 0 ? nz : sz >= nz ? -nz : 0;
        f[d] = from[place<Planes>(d, ((size_t)sz * ny + sy) * nx + sx, cells)];
        rho += 0.01 * f[d];
        ux += kX[d] * f[d];
        uy += kY[d] * f[d];
        uz += kZ[d] * f[d];
    }
    double over = 1.0 / rho;
    ux *= over;
    uy *= over;
    uz *= over;
    double square = 1.5 * (ux * ux + uy * uy + uz * uz);
    size_t cell = ((size_t)z * ny + y) * nx + x;
#pragma unroll
    for (int d = 0; d < 19; ++d) {
        double weight = d == 0 ? 1.0 / 3 : d < 7 ? 1.0 / 18 : 1.0 / 36;
        double along = 3 * (kX[d] * ux + kY[d] * uy + kZ[d] * uz);
        double rest = weight * rho * (1 + along + 0.5 * along * along - square);
        to[place<Planes>(d, cell, cells)] = f[d] + omega * (rest - f[d]);
    }
}
