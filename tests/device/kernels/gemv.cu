// launch: --entry gemv --grid 25 --block 32,4 --arg f32[100000]=random:1 --arg f32[1000]=iota --arg f32[100] --arg i32:100 --arg i32:1000
// hazard: divergent-loop 14
// SPDX-License-Identifier: Apache-2.0
// One warp a row of 1000: each lane goes 31 or 32 times. The compiler unrolls by 4 and peels 3 turns for the 24
// lanes that go 31 times; ptxas goes on by 4 of these, then 2, then 1: 8 lanes twice by 4, the others once by each. 3 + 32 + 8 + 4
// requests of each array, as an NVIDIA H200 counted (driver 580.159.04, 2026-11-29). Rows start at multiples of 4000 bytes = 125 sectors.
// expect: gld.req=9400 gld.sec=25000 gst.req=100 gst.sec=100
__global__ void gemv(const float* A, const float* x, float* y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += 32)
        sum += A[row * cols + c] * x[c];
    for (int d = 16; d; d >>= 1)
        sum += __shfl_xor_sync(~0u, sum, d);
    if (threadIdx.x == 0)
        y[row] = sum;
}
