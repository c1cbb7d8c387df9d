// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "bulk_shift"
title = "Windows fetched by cuda::memcpy_async from shifted addresses"
entry = "window"

[[parameters]]
name = "tiles"
default = 8192
min = 1
max = 1048576

[[parameters]]
name = "tile"
default = 1024
min = 128
max = 8192
define = "TILE"

[[parameters]]
name = "shift"
default = 4
min = 0
max = 64
define = "SHIFT"

[[parameters]]
name = "threads"
default = 256
min = 32
max = 1024
define = "THREADS"

[launch]
grid = ["tiles"]
block = ["threads"]

[[arguments]]
buffer = "in"
type = "f32"
count = "tiles * tile + shift"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "tiles * tile"

[reference]
output = "out"
input = "in"
index = "i + shift"
--- */
#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void window(const float* in, float* out)
{
    __shared__ alignas(128) float tile[TILE];
    __shared__ Barrier ready;
    if (threadIdx.x == 0) {
        init(&ready, THREADS);
        cuda::device::experimental::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    const size_t first = size_t(blockIdx.x) * TILE;
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::experimental::cp_async_bulk_global_to_shared(tile, in + first + SHIFT, TILE * 4, ready);
        token = cuda::device::barrier_arrive_tx(ready, 1, TILE * 4);
    } else
        token = ready.arrive();
    ready.wait(std::move(token));
    for (int i = threadIdx.x; i < TILE; i += THREADS)
        out[first + i] = tile[i];
}
