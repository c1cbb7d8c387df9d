// launch: --entry linear --grid 16 --block 64 --arg f32[1024]=random:1 --arg f32[4096]=random:2 --arg f32[1024] --arg i32:64
// SPDX-License-Identifier: Apache-2.0
// One block a row of x: every block reads all of w, each lane down a row of its own.
__global__ void linear(const float* x, const float* w, float* y, int n)
{
    const int row = blockIdx.x, col = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += x[row * n + k] * w[col * n + k];
    y[row * blockDim.x + col] = sum;
}
