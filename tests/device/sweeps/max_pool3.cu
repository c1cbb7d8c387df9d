// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "max_pool3"
title = "Largest of 3 x 3 with stride 2, channels last"
entry = "maxPool"

[[parameters]]
name = "height"
default = 112
min = 8
max = 1024

[[parameters]]
name = "width"
default = 112
min = 8
max = 1024

[[parameters]]
name = "channels"
default = 64
min = 1
max = 2048

[[parameters]]
name = "batch"
default = 16
min = 1
max = 256

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(batch * (height // 2) * (width // 2) * channels, block)"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "f32"
count = "batch * height * width * channels"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "batch * (height // 2) * (width // 2) * channels"

[[arguments]]
scalar = "height"
type = "i32"

[[arguments]]
scalar = "width"
type = "i32"

[[arguments]]
scalar = "channels"
type = "i32"

[[arguments]]
scalar = "total"
type = "i32"
value = "batch * (height // 2) * (width // 2) * channels"
--- */
__global__ void maxPool(const float* in, float* out, int height, int width, int channels, int total)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total)
        return;
    int c = i % channels, x = i / channels % (width / 2), y = i / channels / (width / 2) % (height / 2), b = i / channels / (width / 2) / (height / 2);
    float best = -1e30f;
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx) {
            int sy = 2 * y + dy, sx = 2 * x + dx;
            if (sy < height && sx < width)
                best = fmaxf(best, in[((b * height + sy) * width + sx) * channels + c]);
        }
    out[i] = best;
}
