// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "sliding_minimum"
title = "Minimum of a window, through shared memory"
entry = "slidingMinimum"

[[parameters]]
name = "n"
default = 16777216
min = 32
max = 200000000

[[parameters]]
name = "radius"
default = 8
min = 1
max = 128

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]
dynamic_shared = "(block + 2 * radius) * 2"

[[arguments]]
buffer = "in"
type = "i16"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "i16"
count = "n"

[[arguments]]
scalar = "n"
type = "i32"

[[arguments]]
scalar = "radius"
type = "i32"
--- */
__global__ void slidingMinimum(const short* in, short* out, int n, int radius)
{
    extern __shared__ short window[];
    int first = blockIdx.x * blockDim.x - radius;
    for (int k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
        int i = first + k;
        window[k] = i >= 0 && i < n ? in[i] : 32767;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int least = 32767;
    for (int k = 0; k <= 2 * radius; ++k)
        least = min(least, (int)window[threadIdx.x + k]);
    if (i < n)
        out[i] = least;
}
