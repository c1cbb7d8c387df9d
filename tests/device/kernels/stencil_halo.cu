// launch: --entry stencil --grid 5,9 --block 32,8 --arg f32[10000]=iota --arg f32[10000] --arg i32:150 --arg i32:66
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=900 gst.req=330 gld.sec=2664 gst.sec=1483 sld.inst=1650 sst.inst=900 sld.wf=1650 sst.wf=900
constexpr int kX = 32, kY = 8, kR = 1;
__global__ void stencil(const float* in, float* out, int width, int height)
{
    __shared__ float tile[kY + 2 * kR][kX + 2 * kR];
    const int x0 = blockIdx.x * kX - kR, y0 = blockIdx.y * kY - kR;
    for (int y = threadIdx.y; y < kY + 2 * kR; y += kY)
        for (int x = threadIdx.x; x < kX + 2 * kR; x += kX) {
            int gx = min(max(x0 + x, 0), width - 1), gy = min(max(y0 + y, 0), height - 1);
            tile[y][x] = in[gy * width + gx];
        }
    __syncthreads();
    const int x = blockIdx.x * kX + threadIdx.x, y = blockIdx.y * kY + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const int tx = threadIdx.x + kR, ty = threadIdx.y + kR;
    out[y * width + x] = 0.2f * (tile[ty][tx] + tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}
