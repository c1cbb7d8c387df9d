// launch: --entry spmv --grid 4 --block 64 --arg i32[257]=iota --arg u8[2048]=random:2 --arg f32[2048]=random:3 --arg f32[256]=random:4 --arg f32[256] --arg i32:256
// hazard: divergent-loop 11
// SPDX-License-Identifier: Apache-2.0
__global__ void spmv(const int* rowStart, const unsigned char* column, const float* value, const float* x, float* y, int rows)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    const int begin = rowStart[row], end = rowStart[row + 1] + (column[row] & 7);
    for (int j = begin; j < end; ++j)
        sum += value[j] * x[column[j]];
    y[row] = sum;
}
