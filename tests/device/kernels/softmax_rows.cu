// launch: --entry softmax --grid 64 --block 128 --arg f32[16064]=random:5 --arg f32[16064] --arg i32:251
// hazard: divergent-loop 11 divergent-loop 21 divergent-loop 29
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=1536 gst.req=512 gld.sec=7368 gst.sec=2456 sld.inst=512 sst.inst=512 sld.wf=1024 sst.wf=512
__global__ void softmax(const float* in, float* out, int cols)
{
    __shared__ float shared[4];
    const float* row = in + (size_t)blockIdx.x * cols;
    float* to = out + (size_t)blockIdx.x * cols;
    float top = -__int_as_float(0x7f800000);
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        top = fmaxf(top, row[c]);
    for (int d = 16; d > 0; d /= 2)
        top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, d));
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = top;
    __syncthreads();
    top = fmaxf(fmaxf(shared[0], shared[1]), fmaxf(shared[2], shared[3]));
    __syncthreads();
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        sum += expf(row[c] - top);
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = shared[0] + shared[1] + shared[2] + shared[3];
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        to[c] = __expf(row[c] - top) / sum;
}
