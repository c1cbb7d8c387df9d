// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "compact_flags"
title = "Values where a flag is set, place by prefix"
entry = "compact"

[[parameters]]
name = "n"
default = 8388608
min = 32
max = 100000000

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[launch]
grid = ["cdiv(n, block)"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "f32"
count = "n"
fill = "random:1"

[[arguments]]
buffer = "flags"
type = "u8"
count = "n"
fill = "random:2"

[[arguments]]
buffer = "out"
type = "f32"
count = "n"

[[arguments]]
buffer = "counts"
type = "i32"
count = "cdiv(n, block)"

[[arguments]]
scalar = "n"
type = "i32"
--- */
__global__ void compact(const float* in, const unsigned char* flags, float* out, int* counts, int n)
{
    __shared__ int sums[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    bool keep = i < n && flags[i] > 127;
    unsigned mask = __ballot_sync(0xffffffffu, keep);
    if (lane == 0)
        sums[warp] = __popc(mask);
    __syncthreads();
    if (warp == 0) {
        int own = lane < blockDim.x / 32 ? sums[lane] : 0, v = own;
        for (int o = 1; o < 32; o *= 2) {
            int u = __shfl_up_sync(0xffffffffu, v, o);
            if (lane >= o)
                v += u;
        }
        sums[lane] = v - own;
        if (lane == 31)
            counts[blockIdx.x] = v;
    }
    __syncthreads();
    if (keep)
        out[blockIdx.x * blockDim.x + sums[warp] + __popc(mask & ((1u << lane) - 1))] = in[i];
}
