// launch: --entry sgemm --grid 4,4 --block 16,16 --arg f32[4096]=iota --arg f32[4096]=random:2 --arg f32[4096] --arg i32:64
// SPDX-License-Identifier: Apache-2.0
// 16 blocks, 8 warps, 4 tiles of k. A warp spans two rows of 16: 4 sectors a load.
// The machine code reads a row of `a` in four 16-byte loads of 2 wavefronts each (a broadcast to each half of the
// warp), a column of `b` in sixteen single words.
// expect: gld.req=1024 gld.sec=4096 gst.req=128 gst.sec=512 sst.inst=1024 sst.wf=1024 sld.inst=10240 sld.wf=12288
#ifndef TILE
#define TILE 16
#endif
__global__ void sgemm(const float* A, const float* B, float* C, int n)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k += TILE) {
        a[threadIdx.y][threadIdx.x] = A[row * n + k + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = B[(k + threadIdx.y) * n + col];
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += a[threadIdx.y][i] * b[i][threadIdx.x];
        __syncthreads();
    }
    C[row * n + col] = sum;
}
