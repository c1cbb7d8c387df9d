// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "affine_struct"
title = "Scales and shifts a picture by a structure that is passed by value"
entry = "affineStruct"

[[parameters]]
name = "width"
default = 4096
min = 32
max = 16384

[[parameters]]
name = "height"
default = 2048
min = 32
max = 16384

[[parameters]]
name = "bx"
default = 32
min = 8
max = 256
presets = [16, 32, 64]

[[parameters]]
name = "by"
default = 8
min = 1
max = 32
presets = [4, 8]

[[legality]]
condition = "width % bx == 0 and height % by == 0"
parameters = ["width", "height", "bx", "by"]
sentence = "The picture must be a multiple of the block."

[launch]
grid = ["width // bx", "height // by"]
block = ["bx", "by"]

[[arguments]]
struct = "picture"
members = [{ buffer = "in", type = "f32", count = "width * height", fill = "random:1" }, { buffer = "out", type = "f32", count = "width * height" }, { scalar = "width", type = "i32" }, { scalar = "scale", type = "f32", value = 1.5 }, { scalar = "shift", type = "f64", value = 0.25 }]
--- */
struct Picture {
    const float* in;
    float* out;
    int width;
    float scale;
    double shift;
};

__global__ void affineStruct(Picture picture)
{
    const size_t i = (size_t)(blockIdx.y * blockDim.y + threadIdx.y) * picture.width + blockIdx.x * blockDim.x + threadIdx.x;
    picture.out[i] = picture.in[i] * picture.scale + (float)picture.shift;
}
