// launch: --entry blockScan --grid 9 --block 128 --arg i32[1152]=iota --arg i32[1152]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=36 gst.req=36 gld.sec=144 gst.sec=144 sld.inst=513 sst.inst=288 sld.wf=513 sst.wf=288
// Hillis and Steele, two buffers: 7 steps.
__global__ void blockScan(const int* in, int* out)
{
    __shared__ int buffer[2][128];
    int t = threadIdx.x, from = 0;
    buffer[0][t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        int to = 1 - from;
        buffer[to][t] = buffer[from][t] + (t >= d ? buffer[from][t - d] : 0);
        __syncthreads();
        from = to;
    }
    out[blockIdx.x * 128 + t] = buffer[from][t];
}
