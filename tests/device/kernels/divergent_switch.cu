// launch: --entry divergent --grid 4 --block 96 --arg i32[400]=iota --arg i32[400] --arg i32:390
// hazard: divergent-loop 23
// SPDX-License-Identifier: Apache-2.0
__global__ void divergent(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = 0;
    switch (threadIdx.x % 7) {
    case 0: v = in[i]; break;
    case 1: v = in[n - 1 - i] + 1; break;
    case 2: v = in[i / 2]; // falls through
    case 3: v += in[i & 63]; break;
    case 5: return;
    default: v = in[0] * in[i ^ 1];
    }
    int k = 0;
    while (true) {
        ++k;
        if (k == 3)
            continue;
        if (k > (i & 7))
            break;
        v += in[k * 32 + (i & 31)];
    }
    out[i] = v;
}
