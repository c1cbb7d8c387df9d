// launch: --entry resize --grid 20,30 --block 32,8 --arg f32[40000]=random:1 --arg f32[153600] --arg i32:200 --arg i32:200 --arg i32:640 --arg i32:240
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=19200 gld.sec=42240 gst.req=4800 gst.sec=19200
__global__ void resize(const float* in, float* out, int iw, int ih, int ow, int oh)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= ow || y >= oh)
        return;
    float fx = (x + 0.5f) * iw / ow - 0.5f, fy = (y + 0.5f) * ih / oh - 0.5f;
    int x0 = max(0, (int)floorf(fx)), y0 = max(0, (int)floorf(fy));
    int x1 = min(iw - 1, x0 + 1), y1 = min(ih - 1, y0 + 1);
    float ax = fx - x0, ay = fy - y0;
    float top = in[y0 * iw + x0] * (1 - ax) + in[y0 * iw + x1] * ax;
    float bot = in[y1 * iw + x0] * (1 - ax) + in[y1 * iw + x1] * ax;
    out[y * ow + x] = top * (1 - ay) + bot * ay;
}
