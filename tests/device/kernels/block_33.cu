// launch: --entry thirtyThree --grid 11 --block 33 --arg i64[363]=iota --arg i64[363]
// SPDX-License-Identifier: Apache-2.0
__global__ void thirtyThree(const long long* in, long long* out)
{
    __shared__ long long s[33];
    s[threadIdx.x] = in[blockIdx.x * 33 + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 33 + threadIdx.x] = s[32 - threadIdx.x];
}
