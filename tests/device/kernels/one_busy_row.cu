// launch: --entry oneBusyRow --grid 64,16 --block 256 --arg f32[4194304]=random:1 --arg f32[4194304] --arg i32:4194304 --arg i32:64
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=131102 gst.req=131102
// As an optimizer of many tensors of which one is large: one row of blocks does nearly everything.
__global__ void oneBusyRow(const float* in, float* out, int large, int small)
{
    const int n = blockIdx.y == 0 ? large : small;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = 2 * in[i];
}
