// launch: --entry bfRows --grid 4 --block 64 --arg bf16[4096]=random:2 --arg bf16[256] --arg i32:16
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=128 gst.req=8 gld.sec=4096 gst.sec=16
// A lane reads 16 neighbouring halves: sixteen requests of 32 sectors a warp, unless the compiler joins them.
#include <cuda_bf16.h>
__global__ void bfRows(const __nv_bfloat16* in, __nv_bfloat16* out, int n)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < n; ++i)
        sum += __bfloat162float(in[row * n + i]);
    out[row] = __float2bfloat16(sum);
}
