// launch: --entry relax --grid 16,64 --block 32,4 --arg f32[263682]=random:1 --arg i32:512 --arg i32:1
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=8192 gld.sec=70656 gst.req=2048 gst.sec=18432
__global__ void relax(float* u, int n, int colour)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + ((y + colour) & 1);
    if (x <= n && y <= n) {
        int w = n + 2, i = y * w + x;
        u[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w]);
    }
}
