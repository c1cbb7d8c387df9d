// launch: --entry groups --grid 6 --block 128 --arg f32[768]=iota --arg f32[6]
// SPDX-License-Identifier: Apache-2.0
// One 16-byte load fetches the four sums.
// expect: gld.req=24 gld.sec=96 gst.req=6 gst.sec=6 sst.inst=24 sst.wf=24 sld.inst=6 sld.wf=6
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void groups(const float* in, float* out)
{
    __shared__ float sums[4];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    float v = in[blockIdx.x * blockDim.x + block.thread_rank()];
    for (int d = tile.size() / 2; d > 0; d /= 2)
        v += tile.shfl_down(v, d);
    if (tile.thread_rank() == 0)
        sums[tile.meta_group_rank()] = v;
    block.sync();
    if (block.thread_rank() == 0)
        out[blockIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
}
