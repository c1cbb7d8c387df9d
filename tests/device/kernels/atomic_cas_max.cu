// launch: --entry floatMax --grid 2 --block 64 --arg f32[128]=iota --arg f32[1]
// SPDX-License-Identifier: Apache-2.0
__device__ float atomicMaxFloat(float* address, float value)
{
    int* word = (int*)address;
    int old = *word, assumed;
    do {
        assumed = old;
        old = atomicCAS(word, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}
__global__ void floatMax(const float* in, float* top)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMaxFloat(top, in[i]);
}
