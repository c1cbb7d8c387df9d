// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "align_pairs"
title = "Local alignment of pairs of strings, a warp a pair, cells handed on by shuffles"
entry = "alignPairs<{rows}>"

[[parameters]]
name = "pairs"
default = 16384
min = 32
max = 262144

[[parameters]]
name = "length"
default = 192
min = 32
max = 4096

[[parameters]]
name = "rows"
label = "Letters a lane"
default = 4
min = 1
max = 16

[[parameters]]
name = "warps"
default = 4
min = 1
max = 32

[launch]
grid = ["cdiv(pairs, warps)"]
block = [32, "warps"]

[[arguments]]
buffer = "queries"
type = "u8"
count = "pairs * 32 * rows"
fill = "random:1"

[[arguments]]
buffer = "targets"
type = "u8"
count = "pairs * length"
fill = "random:2"

[[arguments]]
buffer = "scores"
type = "i32"
count = "pairs"

[[arguments]]
scalar = "pairs"
type = "i32"

[[arguments]]
scalar = "length"
type = "i32"
--- */
template <int Rows>
__global__ void alignPairs(const unsigned char* queries, const unsigned char* targets, int* scores, int pairs, int length)
{
    constexpr int kMatch = 2, kMiss = -3, kGap = -4;
    const int lane = threadIdx.x, pair = blockIdx.x * blockDim.y + threadIdx.y;
    if (pair >= pairs)
        return;
    const unsigned char* q = queries + ((size_t)pair * 32 + lane) * Rows;
    const unsigned char* target = targets + (size_t)pair * length;
    int letter[Rows], before[Rows]; // before: the cells of the column left of this one
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
        letter[r] = q[r] & 3;
        before[r] = 0;
    }
    int best = 0, corner = 0, last = 0;
    for (int step = 0; step < length + 31; ++step) {
        int above = __shfl_up_sync(0xffffffffu, last, 1);
        if (lane == 0)
            above = 0;
        const int column = step - lane;
        if (column >= 0 && column < length) {
            int t = target[column] & 3, diagonal = corner, up = above;
#pragma unroll
            for (int r = 0; r < Rows; ++r) {
                int score = max(0, diagonal + (letter[r] == t ? kMatch : kMiss));
                score = max(score, max(up, before[r]) + kGap);
                diagonal = before[r];
                before[r] = score;
                up = score;
                best = max(best, score);
            }
            corner = above;
            last = up;
        }
    }
    best = __reduce_max_sync(0xffffffffu, best);
    if (lane == 0)
        scores[pair] = best;
}
