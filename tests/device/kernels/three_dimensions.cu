// launch: --entry volume --grid 3,2,4 --block 8,4,3 --arg f32[2304]=iota --arg f32[2304] --arg i32:24 --arg i32:8 --arg i32:12
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=420 gst.req=60 gld.sec=1500 gst.sec=180
__global__ void volume(const float* in, float* out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
        return;
    int c = (z * ny + y) * nx + x;
    out[c] = in[c - 1] + in[c + 1] + in[c - nx] + in[c + nx] + in[c - nx * ny] + in[c + nx * ny] - 6 * in[c];
}
