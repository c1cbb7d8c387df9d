// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "mixed_streams"
title = "Arrays that are read and arrays that are written, each once"
entry = "streams<{reads},{writes}>"

[[parameters]]
name = "reads"
default = 1
min = 0
max = 4

[[parameters]]
name = "writes"
default = 1
min = 0
max = 4

[[parameters]]
name = "kib"
default = 65536
min = 64
max = 1048576

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[arguments]]
buffer = "in"
type = "u8"
count = "max(1, reads) * kib * 1024"

[[arguments]]
buffer = "out"
type = "u8"
count = "max(1, writes) * kib * 1024"

[[arguments]]
scalar = "n"
type = "i32"
value = "kib * 1024 / 16"

[launch]
grid = ["kib * 64 / block"]
block = ["block"]
--- */

template <int Reads, int Writes> __global__ void streams(const float4* in, float4* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 sum = { float(i), 1, 2, 3 };
#pragma unroll
    for (int k = 0; k < Reads; ++k) {
        const float4 value = in[i + size_t(k) * n];
        sum = { sum.x + value.x, sum.y + value.y, sum.z + value.z, sum.w + value.w };
    }
#pragma unroll
    for (int k = 0; k < Writes; ++k)
        out[i + size_t(k) * n] = sum;
    if (Writes == 0 && sum.x == -1e30f)
        out[0] = sum;
}
