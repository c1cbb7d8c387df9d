// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "splat_tiles"
title = "Gaussian splats of each tile blended front to back until its pixels are opaque"
entry = "splat<{tile}>"

[[parameters]]
name = "width"
default = 800
min = 16
max = 4096

[[parameters]]
name = "average"
label = "Splats a tile"
default = 200
min = 1
max = 4096

[[parameters]]
name = "opacity"
label = "Opacity in percent"
default = 60
min = 1
max = 99

[[parameters]]
name = "tile"
default = 16
min = 8
max = 32
presets = [8, 16]

[launch]
grid = ["cdiv(width, tile)", "cdiv(width * 5 // 8, tile)"]
block = ["tile", "tile"]

[[arguments]]
buffer = "noise"
type = "u32"
count = "cdiv(width, tile) * cdiv(width * 5 // 8, tile) + 1"
fill = "random:1"

[[arguments]]
buffer = "ids"
type = "u32"
count = "cdiv(width, tile) * cdiv(width * 5 // 8, tile) * average"
fill = "random:2"

[[arguments]]
buffer = "means"
type = "f32"
count = "2 * 100000"
fill = "random:3"

[[arguments]]
buffer = "conics"
type = "f32"
count = "4 * 100000"
fill = "random:4"

[[arguments]]
buffer = "colours"
type = "f32"
count = "3 * 100000"
fill = "random:5"

[[arguments]]
buffer = "image"
type = "f32"
count = "3 * width * (width * 5 // 8)"

[[arguments]]
buffer = "contributors"
type = "i32"
count = "width * (width * 5 // 8)"

[[arguments]]
scalar = "width"
type = "i32"

[[arguments]]
scalar = "height"
type = "i32"
value = "width * 5 // 8"

[[arguments]]
scalar = "average"
type = "i32"

[[arguments]]
scalar = "splats"
type = "u32"
value = 100000

[[arguments]]
scalar = "opacity"
type = "f32"
value = "opacity / 100.0"
--- */
template <int Tile>
__global__ void __launch_bounds__(Tile* Tile) splat(const unsigned* __restrict__ noise, const unsigned* __restrict__ ids,
    const float2* __restrict__ means, const float4* __restrict__ conics, const float* __restrict__ colours, float* __restrict__ image,
    int* __restrict__ contributors, int width, int height, int average, unsigned splats, float opacity)
{
    constexpr int Threads = Tile * Tile;
    __shared__ unsigned id[Threads];
    __shared__ float2 mean[Threads];
    __shared__ float4 conic[Threads];
    const int rank = threadIdx.y * Tile + threadIdx.x, tile = blockIdx.y * gridDim.x + blockIdx.x;
    const int tiles = gridDim.x * gridDim.y;
    const int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
    const bool inside = x < width && y < height;
    bool done = !inside;

    const int start = tile * average + (tile ? (int)(noise[tile] % average) : 0);
    const int end = tile + 1 == tiles ? tiles * average : (tile + 1) * average + (int)(noise[tile + 1] % average);
    float through = 1, r = 0, g = 0, b = 0;
    int seen = 0, last = 0;
    for (int from = start; from < end; from += Threads) {
        if (__syncthreads_count(done) == Threads)
            break;
        if (from + rank < end) {
            const unsigned which = ids[from + rank] % splats;
            id[rank] = which;
            const float2 m = means[which]; // within the tile and a little around
            mean[rank] = make_float2((m.x + 1) * 0.5f * Tile, (m.y + 1) * 0.5f * Tile);
            const float4 c = conics[which];
            conic[rank] = make_float4(0.06f * (c.x + 1.5f), 0.02f * c.y, 0.06f * (c.z + 1.5f), opacity * (1 + 0.4f * c.w) * 0.7f);
        }
        __syncthreads();
        const int here = min(Threads, end - from);
        for (int j = 0; !done && j < here; ++j) {
            ++seen;
            const float2 m = mean[j];
            const float4 c = conic[j];
            const float dx = m.x - threadIdx.x, dy = m.y - threadIdx.y;
            const float power = -0.5f * (c.x * dx * dx + c.z * dy * dy) - c.y * dx * dy;
            if (power > 0.0f)
                continue;
            const float alpha = fminf(0.99f, c.w * __expf(power));
            if (alpha < 1.0f / 255.0f)
                continue;
            const float next = through * (1 - alpha);
            if (next < 0.0001f) {
                done = true;
                continue;
            }
            const float w = alpha * through;
            const float* colour = colours + 3 * id[j];
            r += w * colour[0];
            g += w * colour[1];
            b += w * colour[2];
            through = next;
            last = seen;
        }
    }
    if (inside) {
        const size_t plane = (size_t)width * height, at = (size_t)y * width + x;
        image[at] = r;
        image[plane + at] = g;
        image[2 * plane + at] = b;
        contributors[at] = last;
    }
}
