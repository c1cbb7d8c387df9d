// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "dropout_mask"
title = "Dropout with a counter-based generator, writes values and a byte mask"
entry = "dropout"

[[parameters]]
name = "n"
default = 16777216
min = 32
max = 100000000

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[parameters]]
name = "per"
default = 1
min = 1
max = 8

[launch]
grid = ["cdiv(n, block * per)"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "f32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "n"

[[arguments]]
buffer = "mask"
type = "u8"
count = "n"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "per"
type = "i32"
--- */
__global__ void dropout(const float* in, float* out, unsigned char* mask, int n, int per)
{
    int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < per; ++k) {
        int i = first + k * stride;
        if (i >= n)
            return;
        unsigned h = i * 2654435761u;
        h ^= h >> 15;
        h *= 2246822519u;
        h ^= h >> 13;
        h *= 3266489917u;
        h ^= h >> 16;
        bool keep = h > 858993459u;
        out[i] = keep ? in[i] * 1.25f : 0.0f;
        mask[i] = keep;
    }
}
