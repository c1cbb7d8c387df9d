// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "gotoh_rows"
title = "Local alignment with affine gaps, a pair a thread, a row of cells per thread"
entry = "gotoh"

[[parameters]]
name = "pairs"
default = 16384
min = 32
max = 1048576

[[parameters]]
name = "query"
label = "Letters of a query"
default = 32
min = 1
max = 128

[[parameters]]
name = "target"
label = "Letters of a target"
default = 48
min = 1
max = 1024

[[parameters]]
name = "block"
default = 64
min = 32
max = 1024

[launch]
grid = ["cdiv(pairs, block)"]
block = ["block"]

[[arguments]]
buffer = "queries"
type = "u8"
count = "pairs * query"
fill = "random:1"

[[arguments]]
buffer = "targets"
type = "u8"
count = "pairs * target"
fill = "random:2"

[[arguments]]
buffer = "scores"
type = "i32"
count = "pairs"

[[arguments]]
scalar = "pairs"
type = "i32"

[[arguments]]
scalar = "query"
type = "i32"

[[arguments]]
scalar = "target"
type = "i32"
--- */
struct Cell {
    short best, gap;
};

// Letter i of every string, then letter i + 1 of every string.
__global__ void gotoh(const unsigned char* __restrict__ queries, const unsigned char* __restrict__ targets, int* scores,
    int pairs, int query, int target)
{
    constexpr int kMatch = 2, kMiss = -3, kOpen = -5, kExtend = -2;
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pairs)
        return;
    Cell row[128];
    for (int j = 0; j < query; ++j)
        row[j] = {0, -1000};
    int top = 0;
    for (int i = 0; i < target; ++i) {
        const int letter = targets[(size_t)i * pairs + p] & 3;
        int diagonal = 0, left = 0, gap = -1000;
        for (int j = 0; j < query; ++j) {
            const Cell up = row[j];
            const int down = max(up.best + kOpen, up.gap + kExtend);
            gap = max(left + kOpen, gap + kExtend);
            const bool same = (queries[(size_t)j * pairs + p] & 3) == letter;
            const int score = max(max(0, diagonal + (same ? kMatch : kMiss)), max(down, gap));
            row[j] = {(short)score, (short)down};
            diagonal = up.best;
            left = score;
            top = max(top, score);
        }
    }
    scores[p] = top;
}
