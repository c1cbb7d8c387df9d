// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "warp_roles"
title = "Warps that fetch and warps that store, with cuda::barrier between"
entry = "roles"

[[parameters]]
name = "blocks"
default = 264
min = 1
max = 65536

[[parameters]]
name = "tiles"
default = 32
min = 1
max = 4096
define = "TILES"

[[parameters]]
name = "half"
label = "Threads of a role"
default = 128
min = 32
max = 512
define = "HALF"

[launch]
grid = ["blocks"]
block = ["2 * half"]

[[arguments]]
buffer = "in"
type = "f32"
count = "blocks * tiles * half"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "blocks * tiles * half"

[reference]
output = "out"
input = "in"
index = "i // half * half + (i % half * 9) % half"
--- */
#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void roles(const float* in, float* out)
{
    __shared__ float tile[2][HALF];
    __shared__ Barrier filled[2], drained[2];
    if (threadIdx.x < 4)
        init(threadIdx.x < 2 ? filled + threadIdx.x : drained + (threadIdx.x - 2), 2 * HALF);
    __syncthreads();
    const size_t first = size_t(blockIdx.x) * TILES * HALF;
    const int lane = threadIdx.x % HALF;
    if (threadIdx.x < HALF) {
        for (int t = 0; t < TILES; ++t) {
            if (t >= 2)
                drained[t % 2].arrive_and_wait();
            tile[t % 2][lane] = in[first + t * HALF + lane];
            (void)filled[t % 2].arrive();
        }
    } else {
        for (int t = 0; t < TILES; ++t) {
            filled[t % 2].arrive_and_wait();
            out[first + t * HALF + lane] = tile[t % 2][lane * 9 % HALF];
            if (t + 2 < TILES)
                (void)drained[t % 2].arrive();
        }
    }
}
