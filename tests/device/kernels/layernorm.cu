// launch: --entry layernorm<double> --grid 33 --block 64 --arg f64[9900]=random:5 --arg f64[300]=iota --arg f64[300]=random:9 --arg f64[9900] --arg i32:300 --arg f64:0.00001
// hazard: divergent-loop 26 divergent-loop 33
// SPDX-License-Identifier: Apache-2.0
// expect: gld.req=1320 gst.req=330 gld.sec=9900 gst.sec=2475 sld.inst=924 sst.inst=528 sld.wf=1056 sst.wf=726
template <typename T>
__device__ T blockSum(T v, T* scratch)
{
    scratch[threadIdx.x] = v;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s)
            scratch[threadIdx.x] += scratch[threadIdx.x + s];
        __syncthreads();
    }
    T result = scratch[0];
    __syncthreads();
    return result;
}
template <typename T>
__global__ void layernorm(const T* x, const T* gamma, const T* beta, T* y, int n, T eps)
{
    __shared__ T scratch[64];
    x += blockIdx.x * n;
    y += blockIdx.x * n;
    T sum = 0, squares = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    const T mean = blockSum(sum, scratch) / n;
    const T variance = blockSum(squares, scratch) / n - mean * mean;
    const T scale = rsqrt(variance + eps);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[i] = (x[i] - mean) * scale * gamma[i] + beta[i];
}
