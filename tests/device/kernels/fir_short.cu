// launch: --entry fir --grid 40 --block 128 --arg i16[5376]=random:1 --arg i16[128]=random:2 --arg i32[5120] --arg i32:128
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=480 gld.sec=960 gst.req=160 gst.sec=640 sld.inst=40960 sst.inst=480 sld.wf=40960 sst.wf=480
__global__ void fir(const short* x, const short* h, int* y, int taps)
{
    __shared__ short line[256], c[128];
    int t = threadIdx.x, b = blockIdx.x * 128;
    line[t] = x[b + t];
    line[t + 128] = x[b + t + 128];
    c[t] = h[t];
    __syncthreads();
    int s = 0;
#pragma unroll 4
    for (int k = 0; k < taps; ++k)
        s += line[t + k] * c[k];
    y[b + t] = s;
}
