// launch: --entry pool --grid 7,14,8 --block 16,8 --arg f32[401408]=random:1 --arg f32[100352] --arg i32:224
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=12544 gld.sec=100352 gst.req=3136 gst.sec=12544
__global__ void pool(const float* in, float* out, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        c = blockIdx.z, h = w / 2;
    const float* p = in + (size_t)c * w * w + 2 * y * w + 2 * x;
    out[(size_t)c * h * h + y * h + x] = fmaxf(fmaxf(p[0], p[1]), fmaxf(p[w], p[w + 1]));
}
