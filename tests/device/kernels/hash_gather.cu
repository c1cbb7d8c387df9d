// launch: --entry gather --grid 100 --block 160 --arg i32[16000]=random:5 --arg f64[4096]=random:2 --arg f64[16000] --arg i32:16000
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=1000 gld.sec=17746 gst.req=500 gst.sec=4000
__global__ void gather(const unsigned* key, const double* table, double* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned h = key[i] * 2654435761u;
        out[i] = table[h >> 20];
    }
}
