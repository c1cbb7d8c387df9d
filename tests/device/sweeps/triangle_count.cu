// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "triangle_count"
title = "Triangles of a graph: neighbours of a vertex looked up in those of its neighbours, a warp a vertex"
entry = "triangles"

[[parameters]]
name = "vertices"
default = 20000
min = 64
max = 1000000

[[parameters]]
name = "degree"
default = 16
min = 2
max = 256

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[[legality]]
condition = "block % 32 == 0"
parameters = ["block"]
sentence = "Whole warps."

[[legality]]
condition = "vertices >= 4 * degree"
parameters = ["vertices", "degree"]
sentence = "Too few vertices."

[launch]
grid = ["cdiv(vertices * 32, block)"]
block = ["block"]

[[arguments]]
buffer = "noise"
type = "u32"
count = "vertices + 1"
fill = "random:1"

[[arguments]]
buffer = "edges"
type = "u32"
count = "vertices * degree"
fill = "random:2"

[[arguments]]
buffer = "total"
type = "u64"
count = "1"

[[arguments]]
buffer = "of"
type = "i32"
count = "vertices"

[[arguments]]
scalar = "vertices"
type = "i32"

[[arguments]]
scalar = "degree"
type = "i32"
--- */
struct List {
    int start, size;
    unsigned gap;
};

__device__ List listOf(const unsigned* __restrict__ noise, int v, int vertices, int degree)
{
    List l;
    l.start = v * degree + (v ? (int)(noise[v] % degree) : 0);
    const int end = v + 1 == vertices ? vertices * degree : (v + 1) * degree + (int)(noise[v + 1] % degree);
    l.size = end - l.start;
    l.gap = vertices / l.size;
    return l;
}

// Ascending: the i-th lies in the i-th part of the range.
__device__ __forceinline__ unsigned neighbour(const unsigned* __restrict__ edges, const List& l, int i)
{
    return i * l.gap + __umulhi(edges[l.start + i], l.gap);
}

__global__ void triangles(const unsigned* __restrict__ noise, const unsigned* __restrict__ edges, unsigned long long* total,
    int* __restrict__ of, int vertices, int degree)
{
    __shared__ unsigned sum;
    const int lane = threadIdx.x & 31, u = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    if (u < vertices) {
        const List mine = listOf(noise, u, vertices, degree);
        int count = 0;
        for (int k = 0; k < mine.size; ++k) {
            const List other = listOf(noise, neighbour(edges, mine, k), vertices, degree);
            for (int first = 0; first < mine.size; first += 32) {
                bool found = false;
                if (first + lane < mine.size) {
                    const unsigned w = neighbour(edges, mine, first + lane);
                    int low = 0, high = other.size - 1;
                    while (low <= high) {
                        const int middle = (low + high) >> 1;
                        const unsigned v = neighbour(edges, other, middle);
                        if (v == w) {
                            found = true;
                            break;
                        }
                        if (v < w)
                            low = middle + 1;
                        else
                            high = middle - 1;
                    }
                }
                count += __popc(__ballot_sync(0xffffffffu, found));
            }
        }
        if (lane == 0) {
            of[u] = count;
            atomicAdd(&sum, (unsigned)count);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0 && sum)
        atomicAdd(total, (unsigned long long)sum);
}
