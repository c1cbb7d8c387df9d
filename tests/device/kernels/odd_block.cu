// launch: --entry oddBlock --grid 5,3 --block 7,9 --arg f32[2000]=iota --arg f32[2000]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=30 gst.req=30 gld.sec=250 gst.sec=223 sld.inst=30 sst.inst=30 sld.wf=60 sst.wf=30
__global__ void oddBlock(const float* in, float* out)
{
    __shared__ float tile[9][7];
    int x = blockIdx.x * 7 + threadIdx.x, y = blockIdx.y * 9 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * 35 + x];
    __syncthreads();
    int flat = threadIdx.y * 7 + threadIdx.x;
    out[(blockIdx.x * 7 + flat / 9) * 27 + blockIdx.y * 9 + flat % 9] = tile[flat % 9][flat / 9];
}
