// launch: --entry thirtyThree --grid 11 --block 33 --arg i64[363]=iota --arg i64[363]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=22 gst.req=22 gld.sec=107 gst.sec=107 sld.inst=22 sst.inst=22 sld.wf=33 sst.wf=33
__global__ void thirtyThree(const long long* in, long long* out)
{
    __shared__ long long s[33];
    s[threadIdx.x] = in[blockIdx.x * 33 + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 33 + threadIdx.x] = s[32 - threadIdx.x];
}
