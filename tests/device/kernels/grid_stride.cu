// launch: --entry scale --grid 7 --block 96 --arg f64[5000]=iota --arg f64[5000] --arg i64:5000 --arg f64:0.5
// hazard: divergent-loop 8
// SPDX-License-Identifier: Apache-2.0
// 157 warps' turns have an active lane; one warp has lanes of 8 and of 7 turns, and its 3 peeled ones are extra.
// expect: gld.req=160 gld.sec=1250 gst.req=160 gst.sec=1250
extern "C" __global__ void scale(const double* in, double* out, long long n, double factor)
{
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
         i += (long long)gridDim.x * blockDim.x)
        out[i] = in[i] * factor;
}
