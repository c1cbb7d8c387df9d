// launch: --entry bankStrides --grid 3 --block 32 --arg f32[96] --arg i32:2
// SPDX-License-Identifier: Apache-2.0
// Strides 2, 4, 8, 33, 32 and a broadcast: 2 + 4 + 8 + 1 + 32 + 1 wavefronts of loads a block.
// expect: sst.inst=102 sst.wf=102 sld.inst=18 sld.wf=144 gst.req=3 gst.sec=12
__global__ void bankStrides(float* out, int two)
{
    __shared__ float s[32 * 33 + 32];
    const int t = threadIdx.x;
    for (int i = t; i < 32 * 35; i += 32)
        if (i < 32 * 33 + 32)
            s[i < 32 * 33 + 32 ? i : 0] = i;
    __syncthreads();
    float sum = s[t * two] + s[t * two * 2] + s[t * two * 4] + s[t * 33];
    sum += s[t * two * 16];
    sum += s[two];
    out[blockIdx.x * 32 + t] = sum;
}
