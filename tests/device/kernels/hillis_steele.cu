// launch: --entry scan --grid 96 --block 512 --arg i32[49152]=random:3 --arg i32[49152]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=1536 gld.sec=6144 gst.req=1536 gst.sec=6144 sld.inst=27744 sst.inst=15360 sld.wf=27744 sst.wf=15360
__global__ void scan(const int* in, int* out)
{
    __shared__ int s[2][512];
    int t = threadIdx.x, g = blockIdx.x * 512 + t, from = 0;
    s[0][t] = in[g];
    __syncthreads();
    for (int d = 1; d < 512; d <<= 1) {
        s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
        from = 1 - from;
        __syncthreads();
    }
    out[g] = s[from][t];
}
