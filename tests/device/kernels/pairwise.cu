// launch: --entry pairwise --grid 16,16 --block 16,16 --arg f32[8192]=random:1 --arg f32[65536] --arg i32:256 --arg i32:32
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=8192 gld.sec=32768 gst.req=2048 gst.sec=8192 sld.inst=131072 sst.inst=8192 sld.wf=131072 sst.wf=16384
__global__ void pairwise(const float* p, float* d, int n, int dim)
{
    __shared__ float a[16][17], b[16][17];
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    float s = 0;
    for (int k = 0; k < dim; k += 16) {
        a[threadIdx.y][threadIdx.x] = p[i * dim + k + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = p[(blockIdx.x * 16 + threadIdx.y) * dim + k + threadIdx.x];
        __syncthreads();
        for (int q = 0; q < 16; ++q) {
            float e = a[threadIdx.y][q] - b[threadIdx.x][q];
            s += e * e;
        }
        __syncthreads();
    }
    d[i * n + j] = sqrtf(s);
}
