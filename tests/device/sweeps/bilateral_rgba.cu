// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "bilateral_rgba"
title = "Bilateral filter of RGBA bytes, a tile with its halo in dynamic shared memory"
entry = "bilateral"

[[parameters]]
name = "width"
default = 1001
min = 16
max = 8192

[[parameters]]
name = "radius"
default = 3
min = 1
max = 8

[[parameters]]
name = "block_x"
default = 32
min = 4
max = 128

[[parameters]]
name = "block_y"
default = 8
min = 1
max = 32

[[legality]]
condition = "block_x * block_y <= 1024"
parameters = ["block_x", "block_y"]
sentence = "A block has {block_x * block_y} threads, more than 1024."

[launch]
grid = ["cdiv(width, block_x)", "cdiv(width * 9 // 16, block_y)"]
block = ["block_x", "block_y"]
dynamic_shared = "(block_x + 2 * radius) * (block_y + 2 * radius) * 4"

[[arguments]]
buffer = "in"
type = "u32"
count = "width * (width * 9 // 16)"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "u32"
count = "width * (width * 9 // 16)"

[[arguments]]
scalar = "width"
type = "i32"

[[arguments]]
scalar = "height"
type = "i32"
value = "width * 9 // 16"

[[arguments]]
scalar = "radius"
type = "i32"

[[arguments]]
scalar = "range"
type = "f32"
value = 0.0007
--- */
__constant__ float falloff[9] = {1.0f, 0.9460f, 0.8007f, 0.6065f, 0.4111f, 0.2494f, 0.1353f, 0.0657f, 0.0286f};

__global__ void bilateral(const uchar4* __restrict__ in, uchar4* __restrict__ out, int width, int height, int radius, float range)
{
    extern __shared__ uchar4 tile[];
    const int pitch = blockDim.x + 2 * radius, rows = blockDim.y + 2 * radius;
    const int left = blockIdx.x * blockDim.x - radius, top = blockIdx.y * blockDim.y - radius;
    for (int y = threadIdx.y; y < rows; y += blockDim.y)
        for (int x = threadIdx.x; x < pitch; x += blockDim.x) {
            const int gx = min(max(left + x, 0), width - 1), gy = min(max(top + y, 0), height - 1);
            tile[y * pitch + x] = in[gy * width + gx];
        }
    __syncthreads();

    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const uchar4 centre = tile[(threadIdx.y + radius) * pitch + threadIdx.x + radius];
    float r = 0, g = 0, b = 0, sum = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
        const float wy = falloff[abs(dy)];
#pragma unroll 4
        for (int dx = -radius; dx <= radius; ++dx) {
            const uchar4 p = tile[(threadIdx.y + radius + dy) * pitch + threadIdx.x + radius + dx];
            const int er = p.x - centre.x, eg = p.y - centre.y, eb = p.z - centre.z;
            const float w = wy * falloff[abs(dx)] * __expf(-range * (er * er + eg * eg + eb * eb));
            r += w * p.x;
            g += w * p.y;
            b += w * p.z;
            sum += w;
        }
    }
    const float scale = 1.0f / sum;
    out[y * width + x] = make_uchar4((unsigned char)(r * scale + 0.5f), (unsigned char)(g * scale + 0.5f), (unsigned char)(b * scale + 0.5f), centre.w);
}
