// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "pipe_stages"
title = "Tiles reversed through cuda::pipeline"
entry = "pipe"

[[parameters]]
name = "blocks"
default = 264
min = 1
max = 65536

[[parameters]]
name = "tiles"
default = 16
min = 1
max = 4096
define = "TILES"

[[parameters]]
name = "stages"
default = 2
min = 1
max = 4
define = "STAGES"

[[parameters]]
name = "threads"
default = 256
min = 32
max = 1024
define = "THREADS"

[launch]
grid = ["blocks"]
block = ["threads"]

[[arguments]]
buffer = "in"
type = "f32"
count = "blocks * tiles * threads * 4"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "blocks * tiles * threads * 4"

[reference]
output = "out"
input = "in"
index = "i // (threads * 4) * (threads * 4) + (threads - 1 - i // 4 % threads) * 4 + i % 4"
--- */
#include <cooperative_groups.h>
#include <cuda/pipeline>
__global__ void pipe(const float4* in, float4* out)
{
    __shared__ float4 tile[STAGES][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    const size_t first = size_t(blockIdx.x) * TILES;
    int fetched = 0;
    for (int t = 0; t < TILES; ++t) {
        for (; fetched < TILES && fetched < t + STAGES; ++fetched) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, tile[fetched % STAGES], in + (first + fetched) * THREADS, cuda::aligned_size_t<16>(sizeof(float4) * THREADS), pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        out[(first + t) * THREADS + threadIdx.x] = tile[t % STAGES][THREADS - 1 - threadIdx.x];
        pipeline.consumer_release();
    }
}
