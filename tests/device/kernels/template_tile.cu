// launch: --entry lib::tile<float,32,1> --grid 2,3 --block 32,8 --arg f32[6144]=iota --arg f32[6144] --arg i32:64 --arg i32:96
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=192 gld.sec=768 gst.req=192 gst.sec=768 sst.inst=192 sst.wf=192 sld.inst=192 sld.wf=192
namespace lib {
template <typename T, int Tile, int Pad = 0>
__global__ void tile(const T* __restrict__ in, T* __restrict__ out, int cols, int rows)
{
    __shared__ T s[Tile][Tile + Pad];
    int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
#pragma unroll
    for (int j = 0; j < Tile; j += 8)
        s[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * Tile + threadIdx.x, y = blockIdx.x * Tile + threadIdx.y;
#pragma unroll
    for (int j = 0; j < Tile; j += 8)
        out[(y + j) * rows + x] = s[threadIdx.x][threadIdx.y + j];
}
}
