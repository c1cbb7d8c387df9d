// launch: --entry heat --grid 4,16 --block 32,8 --arg f32[1048576]=random:1 --arg f32[1048576] --arg i32:128 --arg i32:128 --arg i32:64
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=157248 gld.sec=675864 gst.req=31248 gst.sec=124992
__global__ void heat(const float* in, float* out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= nx - 1 || y >= ny - 1)
        return;
    int s = nx * ny, i = y * nx + x;
    float below = in[i], here = in[i + s];
    for (int z = 1; z < nz - 1; ++z) {
        i += s;
        float above = in[i + s];
        out[i] = here
            + 0.1f * (below + above + in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] - 6 * here);
        below = here;
        here = above;
    }
}
