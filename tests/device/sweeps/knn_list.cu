// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "knn_list"
title = "The k nearest points of each query, kept in a small sorted list per thread"
entry = "nearest"

[[parameters]]
name = "queries"
default = 16384
min = 32
max = 1048576

[[parameters]]
name = "points"
default = 1024
min = 32
max = 65536

[[parameters]]
name = "k"
default = 8
min = 1
max = 64

[[parameters]]
name = "block"
default = 128
min = 32
max = 1024

[launch]
grid = ["cdiv(queries, block)"]
block = ["block"]

[[arguments]]
buffer = "query"
type = "f32"
count = "3 * queries"
fill = "random:1"

[[arguments]]
buffer = "point"
type = "f32"
count = "4 * points"
fill = "random:2"

[[arguments]]
buffer = "distance"
type = "f32"
count = "queries * k"

[[arguments]]
buffer = "index"
type = "i32"
count = "queries * k"

[[arguments]]
scalar = "queries"
type = "i32"

[[arguments]]
scalar = "points"
type = "i32"

[[arguments]]
scalar = "k"
type = "i32"
--- */
struct Neighbour {
    float distance;
    int index;
};

constexpr int kMost = 64;

// query: x of all, y of all, z of all. The results: the i-th neighbours of all queries side by side.
__global__ void nearest(const float* __restrict__ query, const float4* __restrict__ point, float* distance, int* index,
    int queries, int points, int k)
{
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= queries)
        return;
    const float x = query[q], y = query[queries + q], z = query[2 * queries + q];
    Neighbour list[kMost];
    for (int i = 0; i < k; ++i)
        list[i] = {3.0e38f, -1};
    float worst = 3.0e38f;
    for (int p = 0; p < points; ++p) {
        const float4 o = point[p];
        const float dx = o.x - x, dy = o.y - y, dz = o.z - z;
        const float d = dx * dx + dy * dy + dz * dz;
        if (d < worst) {
            int at = k - 1;
            while (at > 0 && list[at - 1].distance > d) {
                list[at] = list[at - 1];
                --at;
            }
            list[at] = {d, p};
            worst = list[k - 1].distance;
        }
    }
    for (int i = 0; i < k; ++i) {
        distance[(size_t)i * queries + q] = sqrtf(list[i].distance);
        index[(size_t)i * queries + q] = list[i].index;
    }
}
