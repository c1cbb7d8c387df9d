// launch: --entry flags --grid 4 --block 128 --arg f32[512]=random:4 --arg u8[512] --arg i32[4]
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=16 gld.sec=64 gst.req=20 gst.sec=20
__global__ void flags(const float* in, bool* above, int* count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool hit = in[i] > 0.5f;
    above[i] = hit;
    int n = __syncthreads_count(hit);
    unsigned ballot = __ballot_sync(~0u, hit);
    if (threadIdx.x == 0)
        count[blockIdx.x] = n + __popc(ballot) + __any_sync(1u, hit);
}
