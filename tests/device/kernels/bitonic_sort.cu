// launch: --entry bitonic --grid 3 --block 128 --arg u32[768]=random:8
// SPDX-License-Identifier: Apache-2.0
__global__ void bitonic(unsigned* data)
{
    __shared__ unsigned s[256];
    unsigned t = threadIdx.x;
    s[t] = data[blockIdx.x * 256 + t];
    s[t + 128] = data[blockIdx.x * 256 + t + 128];
    for (unsigned size = 2; size <= 256; size *= 2)
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            unsigned p = 2 * t - (t & (stride - 1));
            bool up = (p & size) == 0;
            if ((s[p] > s[p + stride]) == up) {
                unsigned swap = s[p];
                s[p] = s[p + stride];
                s[p + stride] = swap;
            }
        }
    __syncthreads();
    data[blockIdx.x * 256 + t] = s[t];
    data[blockIdx.x * 256 + t + 128] = s[t + 128];
}
