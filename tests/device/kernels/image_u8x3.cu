// launch: --entry gray --grid 5,9 --block 16,16 --arg u8[30000]=random:1 --arg u8[10000] --arg i32:77 --arg i32:129
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=975 gst.req=325 gld.sec=4542 gst.sec=933
__global__ void gray(const uchar3* rgb, unsigned char* out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        uchar3 p = rgb[y * width + x];
        out[y * width + x] = (unsigned char)(0.299f * p.x + 0.587f * p.y + 0.114f * p.z);
    }
}
