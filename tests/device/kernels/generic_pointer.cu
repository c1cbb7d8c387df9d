// launch: --entry generic --grid 4 --block 64 --arg f32[256]=iota --arg f32[256] --arg i32:1
// SPDX-License-Identifier: Apache-2.0
// One load instruction reaches shared memory from even warps and global memory from odd ones.
__device__ __noinline__ float pick(const float* p, int i) { return p[i]; }
__global__ void generic(const float* in, float* out, int odd)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    const float* from = (t / 32 == odd) ? in : s;
    out[blockIdx.x * 64 + t] = pick(from, 63 - t);
}
