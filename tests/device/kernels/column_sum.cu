// launch: --entry columnSum --grid 8 --block 32,8 --arg f32[262144]=random:1 --arg f32[256] --arg i32:1024 --arg i32:256
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=8192 gld.sec=32768 gst.req=8 gst.sec=32 sld.inst=56 sst.inst=64 sld.wf=56 sst.wf=64
__global__ void columnSum(const float* in, float* out, int rows, int cols)
{
    __shared__ float part[8][32];
    int c = blockIdx.x * 32 + threadIdx.x;
    float s = 0;
    for (int r = threadIdx.y; r < rows; r += 8)
        s += in[r * cols + c];
    part[threadIdx.y][threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.y == 0) {
        for (int k = 1; k < 8; ++k)
            s += part[k][threadIdx.x];
        out[c] = s;
    }
}
