// launch: --entry reduceGroups --grid 6 --block 128 --arg i32[768]=iota --arg i32[1]
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void reduceGroups(const int* in, int* out)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int v = cg::reduce(tile, in[blockIdx.x * blockDim.x + threadIdx.x], cg::plus<int>());
    auto active = cg::coalesced_threads();
    if (tile.thread_rank() == 0)
        atomicAdd(out, v);
}
