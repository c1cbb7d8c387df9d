// launch: --entry oddBlock --grid 5,3 --block 7,9 --arg f32[2000]=iota --arg f32[2000]
// SPDX-License-Identifier: Apache-2.0
__global__ void oddBlock(const float* in, float* out)
{
    __shared__ float tile[9][7];
    int x = blockIdx.x * 7 + threadIdx.x, y = blockIdx.y * 9 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * 35 + x];
    __syncthreads();
    int flat = threadIdx.y * 7 + threadIdx.x;
    out[(blockIdx.x * 7 + flat / 9) * 27 + blockIdx.y * 9 + flat % 9] = tile[flat % 9][flat / 9];
}
