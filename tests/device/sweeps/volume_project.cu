// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "volume_project"
title = "Brightest sample along rays through a turned volume of bytes, trilinear"
entry = "volumeProject"

[[parameters]]
name = "edge"
default = 128
min = 16
max = 512

[[parameters]]
name = "image"
default = 256
min = 16
max = 2048

[[parameters]]
name = "block_x"
default = 16
min = 4
max = 256

[[parameters]]
name = "block_y"
default = 8
min = 1
max = 64

[[legality]]
condition = "block_x * block_y <= 1024"
parameters = ["block_x", "block_y"]
sentence = "A block has {block_x * block_y} threads, at most 1024 fit."

[launch]
grid = ["cdiv(image, block_x)", "cdiv(image, block_y)"]
block = ["block_x", "block_y"]

[[arguments]]
buffer = "volume"
type = "u8"
count = "edge * edge * edge"
fill = "random:1"

[[arguments]]
buffer = "picture"
type = "f32"
count = "image * image"

[[arguments]]
scalar = "edge"
type = "i32"

[[arguments]]
scalar = "image"
type = "i32"

[[arguments]]
scalar = "c"
type = "f32"
value = "'0.8'"

[[arguments]]
scalar = "s"
type = "f32"
value = "'0.6'"
--- */
__device__ float blend(float a, float b, float t) { return fmaf(t, b - a, a); }

__device__ float sample(const unsigned char* v, int edge, float3 p)
{
    int x = (int)p.x, y = (int)p.y, z = (int)p.z;
    float fx = p.x - x, fy = p.y - y, fz = p.z - z;
    const unsigned char* at = v + ((size_t)z * edge + y) * edge + x;
    const size_t plane = (size_t)edge * edge;
    float front = blend(blend(at[0], at[1], fx), blend(at[edge], at[edge + 1], fx), fy);
    at += plane;
    float back = blend(blend(at[0], at[1], fx), blend(at[edge], at[edge + 1], fx), fy);
    return blend(front, back, fz);
}

__global__ void volumeProject(const unsigned char* volume, float* picture, int edge, int image, float c, float s)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= image || py >= image)
        return;
    const float middle = 0.5f * (edge - 1), zoom = (float)edge / image, most = edge - 1.001f;
    float u = px * zoom - middle, v = py * zoom - middle, brightest = 0;
    for (int step = 0; step < edge; ++step) {
        float w = step - middle;
        float3 p = make_float3(middle + c * u + s * w, middle + v, middle - s * u + c * w);
        if (p.x >= 0 && p.x < most && p.y >= 0 && p.y < most && p.z >= 0 && p.z < most)
            brightest = fmaxf(brightest, sample(volume, edge, p));
    }
    picture[py * image + px] = brightest;
}
