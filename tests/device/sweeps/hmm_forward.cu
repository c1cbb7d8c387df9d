// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "hmm_forward"
title = "Forward algorithm of a hidden Markov model over DNA, a block a sequence, a thread a state"
entry = "forwardPass<{pitch_extra}>"

[[parameters]]
name = "sequences"
default = 1000
min = 1
max = 65535

[[parameters]]
name = "length"
default = 100
min = 2
max = 8192

[[parameters]]
name = "states"
default = 50
min = 4
max = 150

[[parameters]]
name = "pitch_extra"
label = "Words between rows"
default = 1
min = 0
max = 4

[launch]
grid = ["sequences"]
block = ["states"]
dynamic_shared = "(states * (states + pitch_extra) + 2 * states) * 4"

[[arguments]]
buffer = "symbols"
type = "u8"
count = "sequences * length"
fill = "random:1"

[[arguments]]
buffer = "transition"
type = "f32"
count = "states * states"
fill = "random:2"

[[arguments]]
buffer = "emission"
type = "f32"
count = "4 * states"
fill = "random:3"

[[arguments]]
buffer = "likelihood"
type = "f32"
count = "sequences"

[[arguments]]
scalar = "length"
type = "i32"
--- */
// transition[to][from]
template <int Extra>
__global__ void forwardPass(const unsigned char* __restrict__ symbols, const float* __restrict__ transition, const float* __restrict__ emission,
    float* __restrict__ likelihood, int length)
{
    extern __shared__ float memory[];
    const int states = blockDim.x, me = threadIdx.x, pitch = states + Extra;
    float* matrix = memory;
    float* now = memory + states * pitch;
    float* next = now + states;
    for (int row = 0; row < states; ++row)
        matrix[row * pitch + me] = fabsf(transition[row * states + me]) / states;
    float emit[4];
    for (int s = 0; s < 4; ++s)
        emit[s] = 0.01f + fabsf(emission[s * states + me]);

    const unsigned char* sequence = symbols + (size_t)blockIdx.x * length;
    now[me] = emit[sequence[0] & 3] / states;
    __syncthreads();
    float logs = 0;
    for (int t = 1; t < length; ++t) {
        const float* row = matrix + me * pitch;
        float sum = 0;
#pragma unroll 8
        for (int from = 0; from < states; ++from)
            sum += row[from] * now[from];
        next[me] = sum * emit[sequence[t] & 3];
        __syncthreads();
        float* const swap = now;
        now = next;
        next = swap;
        if ((t & 15) == 0) { // back to a sum of one
            float all = 0;
            for (int i = 0; i < states; ++i)
                all += now[i];
            logs += __logf(all);
            __syncthreads();
            now[me] /= all;
            __syncthreads();
        }
    }
    if (me == 0) {
        float all = 0;
        for (int i = 0; i < states; ++i)
            all += now[i];
        likelihood[blockIdx.x] = logs + __logf(all);
    }
}
