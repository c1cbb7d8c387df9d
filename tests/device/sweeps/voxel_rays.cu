// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "voxel_rays"
title = "Rays of a camera through a grid of voxels, until one is filled"
entry = "trace"

[[parameters]]
name = "width"
default = 640
min = 16
max = 4096

[[parameters]]
name = "side"
label = "Voxels a side"
default = 128
min = 8
max = 640

[[parameters]]
name = "filled"
label = "Filled of 65536 voxels"
default = 400
min = 0
max = 65536

[[parameters]]
name = "block_x"
default = 8
min = 4
max = 32

[launch]
grid = ["cdiv(width, block_x)", "cdiv(width * 3 // 4, 8)"]
block = ["block_x", 8]

[[arguments]]
buffer = "voxel"
type = "u16"
count = "side * side * side"
fill = "random:5"

[[arguments]]
buffer = "depth"
type = "f32"
count = "width * (width * 3 // 4)"

[[arguments]]
buffer = "face"
type = "u8"
count = "width * (width * 3 // 4)"

[[arguments]]
scalar = "width"
type = "i32"

[[arguments]]
scalar = "height"
type = "i32"
value = "width * 3 // 4"

[[arguments]]
scalar = "side"
type = "i32"

[[arguments]]
scalar = "filled"
type = "u16"
value = "min(filled, 65535)"
--- */
struct Ray {
    float3 from, to;
};

__device__ Ray cameraRay(int x, int y, int width, int height, float side)
{
    Ray r;
    const float u = (2.0f * x + 1 - width) / width, v = (2.0f * y + 1 - height) / width;
    r.from = make_float3(0.31f * side, 0.42f * side, 0.05f * side);
    const float3 d = make_float3(u + 0.15f, v + 0.07f, 1.1f);
    const float scale = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
    r.to = make_float3(d.x * scale, d.y * scale, d.z * scale);
    return r;
}

__global__ void trace(const unsigned short* __restrict__ voxel, float* __restrict__ depth, unsigned char* __restrict__ face, int width,
    int height, int side, unsigned short filled)
{
    const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    const Ray ray = cameraRay(px, py, width, height, (float)side);
    int x = (int)ray.from.x, y = (int)ray.from.y, z = (int)ray.from.z;
    const int sx = ray.to.x < 0 ? -1 : 1, sy = ray.to.y < 0 ? -1 : 1, sz = ray.to.z < 0 ? -1 : 1;
    const float ax = fabsf(1.0f / ray.to.x), ay = fabsf(1.0f / ray.to.y), az = fabsf(1.0f / ray.to.z);
    float tx = (sx > 0 ? x + 1 - ray.from.x : ray.from.x - x) * ax;
    float ty = (sy > 0 ? y + 1 - ray.from.y : ray.from.y - y) * ay;
    float tz = (sz > 0 ? z + 1 - ray.from.z : ray.from.z - z) * az;
    float t = 0;
    unsigned char hit = 0, last = 0;
    while ((unsigned)x < (unsigned)side && (unsigned)y < (unsigned)side && (unsigned)z < (unsigned)side) {
        if (voxel[(z * side + y) * side + x] < filled) {
            hit = last | 0x80;
            break;
        }
        if (tx < ty && tx < tz) {
            t = tx;
            tx += ax;
            x += sx;
            last = sx > 0 ? 1 : 2;
        } else if (ty < tz) {
            t = ty;
            ty += ay;
            y += sy;
            last = sy > 0 ? 3 : 4;
        } else {
            t = tz;
            tz += az;
            z += sz;
            last = sz > 0 ? 5 : 6;
        }
    }
    depth[py * width + px] = hit ? t : -1.0f;
    face[py * width + px] = hit;
}
