// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "topk_warp"
title = "The largest scores of each row with their columns, a warp a row, values in registers"
entry = "topk<{per}>"

[[parameters]]
name = "rows"
default = 16384
min = 1
max = 1048576

[[parameters]]
name = "per"
label = "Columns a lane"
default = 8
min = 1
max = 32

[[parameters]]
name = "k"
default = 8
min = 1
max = 32

[[parameters]]
name = "warps"
default = 4
min = 1
max = 32

[[legality]]
condition = "k <= per * 32"
parameters = ["k", "per"]
sentence = "A row has only {per * 32} columns."

[launch]
grid = ["cdiv(rows, warps)"]
block = [32, "warps"]

[[arguments]]
buffer = "scores"
type = "f32"
count = "rows * per * 32"
fill = "random:1"

[[arguments]]
buffer = "values"
type = "f32"
count = "rows * k"

[[arguments]]
buffer = "columns"
type = "i32"
count = "rows * k"

[[arguments]]
scalar = "rows"
type = "i32"

[[arguments]]
scalar = "k"
type = "i32"
--- */
template <int Per>
__global__ void topk(const float* __restrict__ scores, float* values, int* columns, int rows, int k)
{
    const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    const float* from = scores + (size_t)row * Per * 32;
    float own[Per];
#pragma unroll
    for (int i = 0; i < Per; ++i)
        own[i] = from[i * 32 + lane];
    float kept = 0;
    int keptAt = 0;
    for (int turn = 0; turn < k; ++turn) {
        float best = own[0];
        int at = lane;
#pragma unroll
        for (int i = 1; i < Per; ++i)
            if (own[i] > best) {
                best = own[i];
                at = i * 32 + lane;
            }
#pragma unroll
        for (int mask = 16; mask; mask >>= 1) {
            const float other = __shfl_xor_sync(0xffffffffu, best, mask);
            const int otherAt = __shfl_xor_sync(0xffffffffu, at, mask);
            if (other > best || (other == best && otherAt < at)) {
                best = other;
                at = otherAt;
            }
        }
        if (lane == turn) {
            kept = best;
            keptAt = at;
        }
        if ((at & 31) == lane) {
#pragma unroll
            for (int i = 0; i < Per; ++i)
                if (i == at >> 5)
                    own[i] = -3.0e38f;
        }
    }
    if (lane < k) {
        values[(size_t)row * k + lane] = kept;
        columns[(size_t)row * k + lane] = keptAt;
    }
}
