// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "merge_small"
title = "Short lists sorted by merging, a list a thread"
entry = "mergeSort<{type},{items}>"

[[parameters]]
name = "lists"
default = 131072
min = 32
max = 1048576

[[parameters]]
name = "items"
default = 32
min = 4
max = 64

[[parameters]]
name = "type"
default = "f32"
types = ["f32", "f64", "u32", "i64"]

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[[legality]]
condition = "items & (items - 1) == 0"
parameters = ["items"]
sentence = "The items ({items}) must be a power of two."

[launch]
grid = ["cdiv(lists, block)"]
block = ["block"]

[[arguments]]
buffer = "in"
type = "{type}"
count = "lists * items"
fill = "random:1"

[[arguments]]
buffer = "out"
type = "{type}"
count = "lists * items"

[[arguments]]
scalar = "lists"
type = "i32"
--- */
template <class T, int N> __global__ void mergeSort(const T* __restrict__ in, T* __restrict__ out, int lists)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= lists)
        return;
    T items[2][N];
    for (int i = 0; i < N; ++i)
        items[0][i] = in[(size_t)i * lists + t];
    int side = 0;
#pragma unroll 1
    for (int width = 1; width < N; width *= 2) {
        const T* from = items[side];
        T* to = items[side ^ 1];
#pragma unroll 1
        for (int first = 0; first < N; first += 2 * width) {
            int a = first, b = first + width;
            const int middle = b, end = b + width;
            for (int i = first; i < end; ++i) {
                const bool left = a < middle && (b >= end || !(from[b] < from[a]));
                to[i] = left ? from[a++] : from[b++];
            }
        }
        side ^= 1;
    }
    for (int i = 0; i < N; ++i)
        out[(size_t)i * lists + t] = items[side][i];
}
