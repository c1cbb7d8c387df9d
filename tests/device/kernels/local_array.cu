// launch: --entry localArray --grid 4 --block 64 --arg i32[256]=random:3 --arg i32[256] --arg i32:5
// SPDX-License-Identifier: Apache-2.0
// Local memory has keys of its own: it is no global access.
// expect: gld.req=8 gld.sec=32 gst.req=8 gst.sec=32
__global__ void localArray(const int* in, int* out, int shift)
{
    int table[16];
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    for (int k = 0; k < 16; ++k)
        table[(k + shift) & 15] = v * k;
    out[i] = table[v & 15];
}
