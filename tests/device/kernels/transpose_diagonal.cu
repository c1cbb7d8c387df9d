// launch: --entry transposeDiagonal --grid 8,8 --block 32,8 --arg f32[65536]=iota --arg f32[65536] --arg i32:256
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=2048 gld.sec=8192 gst.req=2048 gst.sec=8192 sst.inst=2048 sst.wf=2048 sld.inst=2048 sld.wf=2048
__global__ void transposeDiagonal(const float* in, float* out, int n)
{
    __shared__ float tile[32][33];
    int by = blockIdx.x, bx = (blockIdx.x + blockIdx.y) % gridDim.x;
    int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = by * 32 + threadIdx.x;
    y = bx * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
