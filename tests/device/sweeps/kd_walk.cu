// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "kd_walk"
title = "Points within a radius of each query, an implicit k-d tree walked with a stack"
entry = "within"

[[parameters]]
name = "queries"
default = 65536
min = 32
max = 4194304

[[parameters]]
name = "depth"
default = 15
min = 2
max = 22

[[parameters]]
name = "radius"
label = "Radius in hundredths"
default = 30
min = 1
max = 100

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
buffer = "node"
type = "f32"
count = "4 << depth"
fill = "random:2"

[[arguments]]
buffer = "found"
type = "i32"
count = "queries"

[[arguments]]
buffer = "weight"
type = "f32"
count = "queries"

[[arguments]]
scalar = "queries"
type = "i32"

[[arguments]]
scalar = "nodes"
type = "i32"
value = "(1 << depth) - 1"

[[arguments]]
scalar = "radius"
type = "f32"
value = "radius / 100.0"
--- */
struct Entry {
    int node;
    float bound; // the square of what separates the query from the node's half spaces
};

// Node i has the children 2 i + 1 and 2 i + 2 and splits x, y or z, in turns by level.
__global__ void within(const float* __restrict__ query, const float4* __restrict__ node, int* found, float* weight, int queries,
    int nodes, float radius)
{
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= queries)
        return;
    const float x = query[3 * q], y = query[3 * q + 1], z = query[3 * q + 2], limit = radius * radius;
    Entry stack[24];
    int top = 0, count = 0;
    float sum = 0;
    stack[top++] = {0, 0.0f};
    while (top > 0) {
        const Entry from = stack[--top];
        int i = from.node;
        while (i < nodes) {
            const float4 n = node[i];
            const float dx = x - n.x, dy = y - n.y, dz = z - n.z;
            if (dx * dx + dy * dy + dz * dz <= limit) {
                ++count;
                sum += n.w;
            }
            const int axis = (31 - __clz(i + 1)) % 3;
            const float side = axis == 0 ? dx : axis == 1 ? dy : dz, bound = from.bound + side * side;
            const int near = side < 0 ? 2 * i + 1 : 2 * i + 2, far = 4 * i + 3 - near;
            if (bound <= limit && far < nodes)
                stack[top++] = {far, bound};
            i = near;
        }
    }
    found[q] = count;
    weight[q] = sum;
}
