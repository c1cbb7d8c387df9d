// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "bulk_store"
title = "Tiles reversed in shared memory, stored by bulk copies"
entry = "turn"

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
default = 0
min = 0
max = 32
define = "SHIFT"
help = "Floats by which the output lies behind a line"

[[parameters]]
name = "threads"
default = 256
min = 32
max = 1024
define = "THREADS"

[[legality]]
condition = "shift % 4 == 0"
parameters = ["shift"]
sentence = "Bulk copies start at multiples of 16 bytes."

[launch]
grid = ["tiles"]
block = ["threads"]
dynamic_shared = "tile * 4"

[[arguments]]
buffer = "in"
type = "f32"
count = "tiles * tile"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "f32"
count = "tiles * tile + shift"

[reference]
output = "out"
input = "in"
index = "i < shift and -1 or (i - shift) // tile * tile + tile - 1 - (i - shift) % tile"
--- */
extern __shared__ __align__(128) float tileBuffer[];
__global__ void turn(const float* in, float* out)
{
    const size_t first = size_t(blockIdx.x) * TILE;
    for (int i = threadIdx.x; i < TILE; i += THREADS)
        tileBuffer[TILE - 1 - i] = in[first + i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + first + SHIFT), "r"(unsigned(__cvta_generic_to_shared(tileBuffer))), "r"(TILE * 4) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}
