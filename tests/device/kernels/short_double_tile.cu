// launch: --entry mixed --grid 3 --block 16,16 --arg i16[768]=iota --arg f64[768]=random:4 --arg f64[768]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=48 gst.req=24 gld.sec=240 gst.sec=192 sld.inst=48 sst.inst=48 sld.wf=72 sst.wf=72
__global__ void mixed(const short* a, const double* b, double* out)
{
    __shared__ short s[16][18];
    __shared__ double d[16][17];
    const int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * 256 + y * 16 + x;
    s[y][x] = a[i];
    d[x][y] = b[i];
    __syncthreads();
    out[i] = d[y][x] * s[x][y];
}
