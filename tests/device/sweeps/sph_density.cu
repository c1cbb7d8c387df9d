// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "sph_density"
title = "Densities of a fluid's particles from those in the 27 cells around"
entry = "density"

[[parameters]]
name = "side"
label = "Cells a side"
default = 24
min = 3
max = 200

[[parameters]]
name = "average"
label = "Particles a cell"
default = 6
min = 1
max = 64

[[parameters]]
name = "radius"
label = "Radius in hundredths of a cell"
default = 80
min = 1
max = 100

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[launch]
grid = ["cdiv(side * side * side * average, block)"]
block = ["block"]

[[arguments]]
buffer = "noise"
type = "u32"
count = "side * side * side"
fill = "random:1"

[[arguments]]
buffer = "particle"
type = "f32"
count = "4 * side * side * side * average"
fill = "random:2"

[[arguments]]
buffer = "density_of"
type = "f32"
count = "side * side * side * average"

[[arguments]]
buffer = "neighbours"
type = "u16"
count = "side * side * side * average"

[[arguments]]
scalar = "side"
type = "i32"

[[arguments]]
scalar = "average"
type = "i32"

[[arguments]]
scalar = "radius"
type = "f32"
value = "radius / 100.0"
--- */
// Particles are sorted by cells; cell c begins a little behind average * c.
__device__ int cellStart(const unsigned* __restrict__ noise, int c, int cells, int average)
{
    return c == 0 ? 0 : c == cells ? cells * average : c * average + (int)(__ldg(noise + c) % average);
}

__global__ void density(const unsigned* __restrict__ noise, const float4* __restrict__ particle, float* __restrict__ densityOf,
    unsigned short* __restrict__ neighbours, int side, int average, float radius)
{
    const int cells = side * side * side, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells * average)
        return;
    int home = i / average;
    if (i < cellStart(noise, home, cells, average))
        --home;
    const int hx = home % side, hy = home / side % side, hz = home / side / side;
    const float4 me = particle[i];
    const float h2 = radius * radius;
    float sum = 0;
    int count = 0;
    for (int dz = -1; dz <= 1; ++dz) {
        const int z = hz + dz;
        if (z < 0 || z >= side)
            continue;
        for (int dy = -1; dy <= 1; ++dy) {
            const int y = hy + dy;
            if (y < 0 || y >= side)
                continue;
            for (int dx = -1; dx <= 1; ++dx) {
                const int x = hx + dx;
                if (x < 0 || x >= side)
                    continue;
                const int cell = (z * side + y) * side + x;
                const int end = cellStart(noise, cell + 1, cells, average);
                for (int j = cellStart(noise, cell, cells, average); j < end; ++j) {
                    const float4 other = particle[j];
                    const float ex = dx + 0.5f * (other.x - me.x), ey = dy + 0.5f * (other.y - me.y), ez = dz + 0.5f * (other.z - me.z);
                    const float d = h2 - (ex * ex + ey * ey + ez * ez);
                    if (d > 0 && j != i) {
                        sum += (1.5f + other.w) * d * d * d;
                        ++count;
                    }
                }
            }
        }
    }
    densityOf[i] = sum * 1.566681471f / (radius * h2 * h2 * h2 * h2);
    neighbours[i] = (unsigned short)count;
}
