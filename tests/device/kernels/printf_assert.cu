// launch: --entry chatty --grid 2 --block 64 --arg i32[128]=iota --arg i32[128]
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdio.h>
__global__ void chatty(const int* in, int* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(in[i] >= 0);
    if (i == 5)
        printf("thread %d has %d\n", i, in[i]);
    out[i] = in[i] * 2;
}
