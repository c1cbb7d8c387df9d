// launch: --entry dynamicShared --grid 3,2 --block 24,10 --shared 6000 --arg f32[1440]=iota --arg f32[1440] --arg i32:25
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=48 gst.req=48 gld.sec=180 gst.sec=180 sld.inst=96 sst.inst=96 sld.wf=180 sst.wf=180
extern __shared__ float dynamicTile[];
__global__ void dynamicShared(const float* in, float* out, int pitch)
{
    float* tile = dynamicTile;
    float* second = dynamicTile + 10 * pitch;
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int w = gridDim.x * blockDim.x;
    tile[threadIdx.y * pitch + threadIdx.x] = in[y * w + x];
    second[threadIdx.y * pitch + threadIdx.x] = x;
    __syncthreads();
    out[y * w + x] = tile[(blockDim.y - 1 - threadIdx.y) * pitch + blockDim.x - 1 - threadIdx.x] + second[threadIdx.y * pitch + (threadIdx.x ^ 1)];
}
