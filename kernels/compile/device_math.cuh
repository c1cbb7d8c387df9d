// SPDX-License-Identifier: Apache-2.0
// Arithmetic. Exponentials, logarithms and trigonometry are the GPU's approximations: close to CUDA's
// library, not equal to its last bit. No address of a memory-bound kernel depends on them.
#pragma once

COALESCOPE_DEVICE int __popc(unsigned int x) { return __builtin_popcount(x); }
COALESCOPE_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
COALESCOPE_DEVICE int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
COALESCOPE_DEVICE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
COALESCOPE_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
COALESCOPE_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
COALESCOPE_DEVICE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
COALESCOPE_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
COALESCOPE_DEVICE int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
COALESCOPE_DEVICE unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffff) * (b & 0xffffff); }
COALESCOPE_DEVICE int __mulhi(int a, int b) { return int(((long long)a * b) >> 32); }
COALESCOPE_DEVICE unsigned int __umulhi(unsigned int a, unsigned int b)
{
    return (unsigned int)(((unsigned long long)a * b) >> 32);
}
COALESCOPE_DEVICE unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector)
{
    return __nvvm_prmt(a, b, selector);
}
COALESCOPE_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift)
{
    return (unsigned int)(((((unsigned long long)high << 32) | low) << (shift & 31)) >> 32);
}
COALESCOPE_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift)
{
    return (unsigned int)((((unsigned long long)high << 32) | low) >> (shift & 31));
}

#define COALESCOPE_MIN_MAX(type)                                                                             \
    COALESCOPE_DEVICE type min(type a, type b) { return b < a ? b : a; }                                     \
    COALESCOPE_DEVICE type max(type a, type b) { return a < b ? b : a; }
COALESCOPE_MIN_MAX(int)
COALESCOPE_MIN_MAX(unsigned int)
COALESCOPE_MIN_MAX(long)
COALESCOPE_MIN_MAX(unsigned long)
COALESCOPE_MIN_MAX(long long)
COALESCOPE_MIN_MAX(unsigned long long)
COALESCOPE_DEVICE unsigned int min(int a, unsigned int b) { return min((unsigned int)a, b); }
COALESCOPE_DEVICE unsigned int min(unsigned int a, int b) { return min(a, (unsigned int)b); }
COALESCOPE_DEVICE unsigned int max(int a, unsigned int b) { return max((unsigned int)a, b); }
COALESCOPE_DEVICE unsigned int max(unsigned int a, int b) { return max(a, (unsigned int)b); }

#define COALESCOPE_UNARY(name, nameOfFloat, expressionOfFloat, expressionOfDouble)                           \
    COALESCOPE_DEVICE float nameOfFloat(float x) { return expressionOfFloat; }                               \
    COALESCOPE_DEVICE float name(float x) { return expressionOfFloat; }                                      \
    COALESCOPE_DEVICE double name(double x) { return expressionOfDouble; }
COALESCOPE_UNARY(fabs, fabsf, __builtin_fabsf(x), __builtin_fabs(x))
COALESCOPE_UNARY(sqrt, sqrtf, __nvvm_sqrt_rn_f(x), __nvvm_sqrt_rn_d(x))
COALESCOPE_UNARY(rsqrt, rsqrtf, __nvvm_rsqrt_approx_f(x), __nvvm_rsqrt_approx_d(x))
COALESCOPE_UNARY(floor, floorf, __builtin_floorf(x), __builtin_floor(x))
COALESCOPE_UNARY(ceil, ceilf, __builtin_ceilf(x), __builtin_ceil(x))
COALESCOPE_UNARY(trunc, truncf, __builtin_truncf(x), __builtin_trunc(x))
COALESCOPE_UNARY(rint, rintf, __builtin_rintf(x), __builtin_rint(x))
COALESCOPE_DEVICE int abs(int x) { return x < 0 ? -x : x; }
COALESCOPE_DEVICE long abs(long x) { return x < 0 ? -x : x; }
COALESCOPE_DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
COALESCOPE_DEVICE float abs(float x) { return fabsf(x); }
COALESCOPE_DEVICE double abs(double x) { return fabs(x); }

COALESCOPE_DEVICE float fminf(float a, float b) { return __builtin_fminf(a, b); }
COALESCOPE_DEVICE float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
COALESCOPE_DEVICE double fmin(double a, double b) { return __builtin_fmin(a, b); }
COALESCOPE_DEVICE double fmax(double a, double b) { return __builtin_fmax(a, b); }
COALESCOPE_DEVICE float min(float a, float b) { return fminf(a, b); }
COALESCOPE_DEVICE float max(float a, float b) { return fmaxf(a, b); }
COALESCOPE_DEVICE double min(double a, double b) { return fmin(a, b); }
COALESCOPE_DEVICE double max(double a, double b) { return fmax(a, b); }
COALESCOPE_DEVICE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
COALESCOPE_DEVICE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }

COALESCOPE_DEVICE float exp2f(float x) { return __nvvm_ex2_approx_f(x); }
COALESCOPE_DEVICE float log2f(float x) { return __nvvm_lg2_approx_f(x); }
COALESCOPE_DEVICE float expf(float x) { return exp2f(x * 1.44269504f); }
COALESCOPE_DEVICE float logf(float x) { return log2f(x) * 0.693147181f; }
COALESCOPE_DEVICE float sinf(float x) { return __nvvm_sin_approx_f(x); }
COALESCOPE_DEVICE float cosf(float x) { return __nvvm_cos_approx_f(x); }
COALESCOPE_DEVICE float powf(float x, float y) { return exp2f(y * log2f(x)); }
COALESCOPE_DEVICE float tanhf(float x) { return 1.0f - 2.0f / (expf(2.0f * x) + 1.0f); }

// Under their C++ names for both types; double has no such instruction and takes the one of float.
#define COALESCOPE_APPROXIMATE(name)                                                                         \
    COALESCOPE_DEVICE float name(float x) { return name##f(x); }                                             \
    COALESCOPE_DEVICE double name(double x) { return name##f(float(x)); }
COALESCOPE_APPROXIMATE(exp2)
COALESCOPE_APPROXIMATE(log2)
COALESCOPE_APPROXIMATE(exp)
COALESCOPE_APPROXIMATE(log)
COALESCOPE_APPROXIMATE(sin)
COALESCOPE_APPROXIMATE(cos)
COALESCOPE_APPROXIMATE(tanh)
COALESCOPE_DEVICE float pow(float x, float y) { return powf(x, y); }
COALESCOPE_DEVICE double pow(double x, double y) { return powf(float(x), float(y)); }

COALESCOPE_DEVICE float __expf(float x) { return expf(x); }
COALESCOPE_DEVICE float __logf(float x) { return logf(x); }
COALESCOPE_DEVICE float __log2f(float x) { return log2f(x); }
COALESCOPE_DEVICE float __sinf(float x) { return sinf(x); }
COALESCOPE_DEVICE float __cosf(float x) { return cosf(x); }
COALESCOPE_DEVICE float __powf(float x, float y) { return powf(x, y); }
COALESCOPE_DEVICE float __fdividef(float a, float b) { return a / b; }
COALESCOPE_DEVICE float __frcp_rn(float x) { return 1.0f / x; }
COALESCOPE_DEVICE float __fsqrt_rn(float x) { return sqrtf(x); }
COALESCOPE_DEVICE float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

COALESCOPE_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
COALESCOPE_DEVICE unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
COALESCOPE_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
COALESCOPE_DEVICE float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
COALESCOPE_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
COALESCOPE_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
COALESCOPE_DEVICE int __float2int_rn(float x) { return int(rintf(x)); }
COALESCOPE_DEVICE int __float2int_rz(float x) { return int(x); }
COALESCOPE_DEVICE float __int2float_rn(int x) { return float(x); }
