// SPDX-License-Identifier: Apache-2.0
/* --- coalescope
id = "multiply_adds"
title = "Multiply-adds of registers, some of which are kept from one to the next"
entry = "sums"

[[parameters]]
name = "form"
define = "FORM"
default = "sums"
choices = [
    { value = "sums", define = "0" }, { value = "polynomial", define = "1" }, { value = "squares", define = "2" },
    { value = "products", define = "3" }, { value = "halves", define = "4" }, { value = "rotation", define = "5" },
]

[[parameters]]
name = "chains"
define = "CHAINS"
default = 2
min = 1
max = 8

[[parameters]]
name = "threads"
define = "THREADS"
default = 512
min = 32
max = 1024

[launch]
grid = [132]
block = ["threads"]

[[arguments]]
buffer = "data"
type = "f32"
count = "132 * threads"
fill = "random:1"

[[arguments]]
buffer = "factors"
type = "f32"
count = "64"
fill = "random:2"

[[arguments]]
scalar = "turns"
type = "i32"
value = 500
--- */
#include <cuda_fp16.h>

constexpr int kFactors = 16; ///< that stay in registers

#if FORM == 4
typedef __half2 Value;
__device__ Value valueOf(float x) { return __floats2half2_rn(x, x); }
__device__ float sumOf(Value v) { return __low2float(v) + __high2float(v); }
__device__ Value next(Value a, Value b, Value sum) { return __hfma2(a, b, sum); }
#else
typedef float Value;
__device__ Value valueOf(float x) { return x; }
__device__ float sumOf(Value v) { return v; }
__device__ Value next(Value a, Value b, Value sum) { return fmaf(a, b, sum); }
#endif

extern "C" __global__ void sums(float* data, const float* __restrict__ factors, int turns)
{
    Value factor[kFactors], sum[CHAINS];
    for (int i = 0; i < kFactors; ++i)
        factor[i] = valueOf(factors[i + (threadIdx.x & 31)]);
    const Value x = valueOf(data[blockIdx.x * THREADS + threadIdx.x]);
    for (int c = 0; c < CHAINS; ++c)
        sum[c] = valueOf(factors[c]);
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
        for (int i = 0; i < kFactors; ++i) {
#pragma unroll
            for (int c = 0; c < CHAINS; ++c) {
#if FORM == 0 || FORM == 4
                sum[c] = next(factor[i], factor[(i + 5 * c + 3) % kFactors], sum[c]);
#elif FORM == 1
                sum[c] = next(sum[c], x, factor[(i + c) % kFactors]);
#elif FORM == 2
                sum[c] = next(factor[i], factor[i], sum[c]);
#elif FORM == 3
                sum[c] = (sum[c] + factor[i]) * factor[(i + c + 1) % kFactors];
#else
                const Value other = sum[(c + 1) % CHAINS];
                sum[c] = next(sum[c], factor[i], -other * factor[(i + 1) % kFactors]);
#endif
            }
        }
    }
    float all = 0;
    for (int c = 0; c < CHAINS; ++c)
        all += sumOf(sum[c]);
    data[blockIdx.x * THREADS + threadIdx.x] = all;
}
