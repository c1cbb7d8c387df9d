// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "bfs_expand"
title = "A frontier of a random graph expanded, some lanes a vertex"
entry = "expand<{lanes}>"

[[parameters]]
name = "vertices"
default = 1048576
min = 1024
max = 8388608

[[parameters]]
name = "frontier"
default = 131072
min = 32
max = 4194304

[[parameters]]
name = "degree"
label = "Edges at most"
default = 16
min = 1
max = 64

[[parameters]]
name = "lanes"
default = 4
min = 1
max = 32

[[parameters]]
name = "block"
default = 256
min = 32
max = 1024

[[legality]]
condition = "lanes & (lanes - 1) == 0"
parameters = ["lanes"]
sentence = "The lanes of a vertex ({lanes}) must be a power of two."

[[legality]]
condition = "block % 32 == 0"
parameters = ["block"]
sentence = "Whole warps."

[launch]
grid = ["cdiv(frontier * lanes, block)"]
block = ["block"]

[[arguments]]
buffer = "queue"
type = "u32"
count = "frontier"
fill = "random:1"

[[arguments]]
buffer = "degrees"
type = "u32"
count = "vertices"
fill = "random:2"

[[arguments]]
buffer = "edges"
type = "u32"
count = "vertices * degree"
fill = "random:3"

[[arguments]]
buffer = "visited"
type = "u32"
count = "cdiv(vertices, 32)"
fill = "random:4"

[[arguments]]
buffer = "next"
type = "u32"
count = "cdiv(vertices, 32)"

[[arguments]]
buffer = "fresh"
type = "i32"
count = "frontier"

[[arguments]]
scalar = "vertices"
type = "u32"

[[arguments]]
scalar = "frontier"
type = "i32"

[[arguments]]
scalar = "degree"
type = "u32"
--- */
template <int Lanes>
__global__ void expand(const unsigned* __restrict__ queue, const unsigned* __restrict__ degrees, const unsigned* __restrict__ edges,
    const unsigned* __restrict__ visited, unsigned* next, int* fresh, unsigned vertices, int frontier, unsigned degree)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x, entry = t / Lanes, lane = t % Lanes;
    int count = 0;
    if (entry < frontier) {
        const unsigned vertex = queue[entry] % vertices, own = degrees[vertex] % degree + 1;
        const unsigned* edge = edges + (size_t)vertex * degree;
        for (unsigned e = lane; e < own; e += Lanes) {
            const unsigned to = edge[e] % vertices, bit = 1u << (to & 31);
            if (!(visited[to >> 5] & bit)) {
                atomicOr(&next[to >> 5], bit);
                ++count;
            }
        }
    }
#pragma unroll
    for (int mask = Lanes / 2; mask; mask >>= 1)
        count += __shfl_xor_sync(0xffffffffu, count, mask);
    if (entry < frontier && lane == 0)
        fresh[entry] = count;
}
