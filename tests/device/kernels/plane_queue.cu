// launch: --entry planeQueue --grid 4,16 --block 32,8 --arg f32[524288]=random:1 --arg f32[524288] --arg i32:128 --arg i32:128 --arg i32:32
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=43024 gst.req=15120 gld.sec=102976 gst.sec=60480 sld.inst=60480 sst.inst=42000 sld.wf=60480 sst.wf=42000
// Seven points of a volume: the plane in shared memory with its borders, which few threads load, its neighbours along z in registers.
__global__ void planeQueue(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz)
{
    __shared__ float plane[10][34];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const size_t slice = (size_t)nx * ny;
    const bool isInside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
    size_t at = (size_t)y * nx + x;
    float below, now = in[at], above = in[at + slice];
    for (int z = 1; z < nz - 1; ++z) {
        at += slice;
        below = now;
        now = above;
        above = in[at + slice];
        __syncthreads();
        plane[ty][tx] = now;
        if (threadIdx.x == 0 && x > 0)
            plane[ty][0] = in[at - 1];
        if (threadIdx.x == 31 && x < nx - 1)
            plane[ty][33] = in[at + 1];
        if (threadIdx.y == 0 && y > 0)
            plane[0][tx] = in[at - nx];
        if (threadIdx.y == 7 && y < ny - 1)
            plane[9][tx] = in[at + nx];
        __syncthreads();
        if (isInside)
            out[at] = 2 * now - below - above + plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx];
    }
}
