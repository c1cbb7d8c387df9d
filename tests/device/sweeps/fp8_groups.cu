// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "fp8_groups"
title = "Groups of a token's halves to 8-bit floats, each group with a scale of its own: a warp a group at a time"
entry = "fp8Groups<{each}>"

[[parameters]]
name = "tokens"
default = 4096
min = 1
max = 65536

[[parameters]]
name = "cols"
default = 4096
min = 128
max = 65536

[[parameters]]
name = "each"
help = "Halves of a group that a lane converts"
default = 4
min = 2
max = 8
presets = [2, 4, 8]

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[legality]]
condition = "cols % (32 * each) == 0"
parameters = ["cols", "each"]
sentence = "The columns must be a multiple of the group, {32 * each}."

[[legality]]
condition = "block % 32 == 0"
parameters = ["block"]
sentence = "The block must be whole warps."

[launch]
grid = ["tokens"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "f16"
count = "tokens * cols"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "u8"
count = "tokens * cols"

[[arguments]]
buffer = "scales"
type = "f32"
count = "tokens * cols // (32 * each)"

[[arguments]]
scalar = "cols"
type = "i32"
--- */
#include <cuda_fp16.h>
#include <cuda_fp8.h>

template <int Each> struct alignas(2 * Each) Halves {
    __half2 pair[Each / 2];
};
template <int Each> struct alignas(Each) Bytes {
    __nv_fp8x2_storage_t pair[Each / 2];
};

template <int Each>
__global__ void fp8Groups(const __half* in, unsigned char* out, float* scales, int cols)
{
    const int groups = cols / (32 * Each), lane = threadIdx.x % 32;
    const size_t row = (size_t)blockIdx.x * groups;
    for (int group = threadIdx.x / 32; group < groups; group += blockDim.x / 32) {
        const size_t at = (row + group) * 32 + lane;
        const Halves<Each> values = ((const Halves<Each>*)in)[at];
        float greatest = 0;
        for (const __half2 pair : values.pair)
            greatest = fmaxf(greatest, fmaxf(fabsf(__low2float(pair)), fabsf(__high2float(pair))));
        for (int step = 16; step > 0; step /= 2)
            greatest = fmaxf(greatest, __shfl_xor_sync(0xffffffffu, greatest, step));
        const float scale = fmaxf(greatest, 1e-10f) / 448;
        Bytes<Each> bytes;
        for (int i = 0; i < Each / 2; ++i)
            bytes.pair[i] = __nv_cvt_float2_to_fp8x2(make_float2(__low2float(values.pair[i]) / scale, __high2float(values.pair[i]) / scale),
                __NV_SATFINITE, __NV_E4M3);
        ((Bytes<Each>*)out)[at] = bytes;
        if (lane == 0)
            scales[row + group] = scale;
    }
}
