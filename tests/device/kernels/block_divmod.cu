// launch: --entry divmod --grid 60 --block 32 --arg i32[1920]=iota --arg i32[1920] --arg i32:12 --arg i32:5
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=60 gld.sec=240 gst.req=60 gst.sec=240
__global__ void divmod(const int* in, int* out, int tilesX, int tilesY)
{
    int tx = blockIdx.x % tilesX, ty = blockIdx.x / tilesX % tilesY;
    out[(tx * tilesY + ty) * 32 + threadIdx.x] = in[(ty * tilesX + tx) * 32 + threadIdx.x];
}
