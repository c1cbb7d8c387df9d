// launch: --entry sharedFloatSums --grid 16 --block 256 --shared 3072 --arg f32[786432]=random:1 --arg f32[768] --arg i32:1024 --arg i32:768
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=24576 gst.req=0 sst.inst=384
// A row a warp, summed up by columns in shared memory: each addition of floats is a loop of a load and a compare and swap.
__global__ void sharedFloatSums(const float* __restrict__ x, float* sums, int rows, int columns)
{
    extern __shared__ float ofBlock[];
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        ofBlock[c] = 0;
    __syncthreads();
    const int lane = threadIdx.x % 32, warps = blockDim.x / 32;
    for (int row = blockIdx.x * warps + threadIdx.x / 32; row < rows; row += gridDim.x * warps)
        for (int c = lane; c < columns; c += 32)
            atomicAdd(&ofBlock[c], x[row * columns + c]);
    __syncthreads();
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        atomicAdd(&sums[c], ofBlock[c]);
}
