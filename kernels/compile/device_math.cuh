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
COALESCOPE_DEVICE int __dp4a(int a, int b, int c)
{
    int sum;
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
    return sum;
}
COALESCOPE_DEVICE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c)
{
    unsigned int sum;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
    return sum;
}
COALESCOPE_DEVICE int __dp2a_lo(int a, int b, int c) { return c + short(a) * (signed char)b + (a >> 16) * (signed char)(b >> 8); }
COALESCOPE_DEVICE int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
COALESCOPE_DEVICE unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c)
{
    return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
COALESCOPE_DEVICE unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) { return __dp2a_lo(a, b >> 16, c); }
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

COALESCOPE_DEVICE float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
COALESCOPE_DEVICE double copysign(double x, double y) { return __builtin_copysign(x, y); }
COALESCOPE_DEVICE float nearbyintf(float x) { return __builtin_nearbyintf(x); }
COALESCOPE_DEVICE double nearbyint(double x) { return __builtin_nearbyint(x); }
COALESCOPE_DEVICE float roundf(float x) { return copysignf(floorf(fabsf(x) + 0.5f), x); }
COALESCOPE_DEVICE double round(double x) { return copysign(floor(fabs(x) + 0.5), x); }
COALESCOPE_DEVICE float fmodf(float x, float y) { return x - truncf(x / y) * y; }
COALESCOPE_DEVICE double fmod(double x, double y) { return x - trunc(x / y) * y; }
COALESCOPE_DEVICE float remainderf(float x, float y) { return x - rintf(x / y) * y; }
COALESCOPE_DEVICE double remainder(double x, double y) { return x - rint(x / y) * y; }
COALESCOPE_DEVICE float fdimf(float x, float y) { return x > y ? x - y : 0.0f; }
COALESCOPE_DEVICE double fdim(double x, double y) { return x > y ? x - y : 0.0; }
COALESCOPE_DEVICE float modff(float x, float* whole) { return x - (*whole = truncf(x)); }
COALESCOPE_DEVICE double modf(double x, double* whole) { return x - (*whole = trunc(x)); }
COALESCOPE_DEVICE float ldexpf(float x, int power) { return x * exp2f(float(power)); }
COALESCOPE_DEVICE double ldexp(double x, int power) { return x * double(exp2f(float(power))); }
COALESCOPE_DEVICE float hypotf(float x, float y) { return sqrtf(x * x + y * y); }
COALESCOPE_DEVICE double hypot(double x, double y) { return sqrt(x * x + y * y); }
COALESCOPE_DEVICE float rhypotf(float x, float y) { return rsqrtf(x * x + y * y); }
COALESCOPE_DEVICE float norm3df(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }
COALESCOPE_DEVICE float rnorm3df(float x, float y, float z) { return rsqrtf(x * x + y * y + z * z); }
COALESCOPE_DEVICE bool isnan(float x) { return x != x; }
COALESCOPE_DEVICE bool isnan(double x) { return x != x; }
COALESCOPE_DEVICE bool isinf(float x) { return fabsf(x) == __builtin_inff(); }
COALESCOPE_DEVICE bool isinf(double x) { return fabs(x) == __builtin_inf(); }
COALESCOPE_DEVICE bool isfinite(float x) { return fabsf(x) < __builtin_inff(); }
COALESCOPE_DEVICE bool isfinite(double x) { return fabs(x) < __builtin_inf(); }
COALESCOPE_DEVICE bool signbit(float x) { return __builtin_bit_cast(int, x) < 0; }
COALESCOPE_DEVICE bool signbit(double x) { return __builtin_bit_cast(long long, x) < 0; }
COALESCOPE_DEVICE long lrintf(float x) { return long(rintf(x)); }
COALESCOPE_DEVICE long lrint(double x) { return long(rint(x)); }
COALESCOPE_DEVICE long lroundf(float x) { return long(roundf(x)); }
COALESCOPE_DEVICE long lround(double x) { return long(round(x)); }
COALESCOPE_DEVICE long long llroundf(float x) { return (long long)roundf(x); }
COALESCOPE_DEVICE long long llround(double x) { return (long long)round(x); }
COALESCOPE_DEVICE long long llrintf(float x) { return (long long)rintf(x); }
COALESCOPE_DEVICE long long llrint(double x) { return (long long)rint(x); }

COALESCOPE_DEVICE float exp10f(float x) { return exp2f(x * 3.32192809f); }
COALESCOPE_DEVICE float log10f(float x) { return log2f(x) * 0.301029996f; }
COALESCOPE_DEVICE float expm1f(float x) { return fabsf(x) < 1e-3f ? x + 0.5f * x * x : expf(x) - 1.0f; }
COALESCOPE_DEVICE float log1pf(float x) { return fabsf(x) < 1e-3f ? x - 0.5f * x * x : logf(1.0f + x); }
COALESCOPE_DEVICE float tanf(float x) { return sinf(x) / cosf(x); }
COALESCOPE_DEVICE float sinpif(float x) { return sinf(x * 3.14159265f); }
COALESCOPE_DEVICE float cospif(float x) { return cosf(x * 3.14159265f); }
COALESCOPE_DEVICE void sincosf(float x, float* sine, float* cosine)
{
    *sine = sinf(x);
    *cosine = cosf(x);
}
COALESCOPE_DEVICE void sincospif(float x, float* sine, float* cosine) { sincosf(x * 3.14159265f, sine, cosine); }
COALESCOPE_DEVICE void sincos(double x, double* sine, double* cosine)
{
    *sine = sinf(float(x));
    *cosine = cosf(float(x));
}
COALESCOPE_DEVICE float sinhf(float x) { return 0.5f * (expf(x) - expf(-x)); }
COALESCOPE_DEVICE float coshf(float x) { return 0.5f * (expf(x) + expf(-x)); }
COALESCOPE_DEVICE float asinhf(float x) { return copysignf(logf(fabsf(x) + sqrtf(x * x + 1.0f)), x); }
COALESCOPE_DEVICE float acoshf(float x) { return logf(x + sqrtf(x * x - 1.0f)); }
COALESCOPE_DEVICE float atanhf(float x) { return 0.5f * logf((1.0f + x) / (1.0f - x)); }
// Abramowitz and Stegun, "Handbook of Mathematical Functions", 4.4.49 and 7.1.26.
COALESCOPE_DEVICE float atanf(float x)
{
    float a = fabsf(x), z = a > 1.0f ? 1.0f / a : a, q = z * z;
    float y = z
        * (1.0f
            + q * (-0.3333314528f
                  + q * (0.1999355085f
                        + q * (-0.1420889944f
                              + q * (0.1065626393f
                                    + q * (-0.0752896400f + q * (0.0429096138f + q * (-0.0161657367f + q * 0.0028662257f))))))));
    return copysignf(a > 1.0f ? 1.57079633f - y : y, x);
}
COALESCOPE_DEVICE float erff(float x)
{
    float t = 1.0f / (1.0f + 0.3275911f * fabsf(x));
    float p = t * (0.254829592f + t * (-0.284496736f + t * (1.421413741f + t * (-1.453152027f + t * 1.061405429f))));
    return copysignf(1.0f - p * expf(-x * x), x);
}
COALESCOPE_DEVICE float atan2f(float y, float x)
{
    return x > 0.0f ? atanf(y / x)
        : x < 0.0f  ? atanf(y / x) + copysignf(3.14159265f, y)
        : y != 0.0f ? copysignf(1.57079633f, y)
                    : 0.0f;
}
COALESCOPE_DEVICE float asinf(float x) { return atan2f(x, sqrtf((1.0f - x) * (1.0f + x))); }
COALESCOPE_DEVICE float acosf(float x) { return atan2f(sqrtf((1.0f - x) * (1.0f + x)), x); }
COALESCOPE_DEVICE float erfcf(float x) { return 1.0f - erff(x); }
COALESCOPE_DEVICE float normcdff(float x) { return 0.5f * erfcf(-0.707106781f * x); }
COALESCOPE_DEVICE float cbrtf(float x) { return copysignf(exp2f(log2f(fabsf(x)) * 0.333333333f), x); }
COALESCOPE_DEVICE float rcbrtf(float x) { return 1.0f / cbrtf(x); }

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
COALESCOPE_APPROXIMATE(exp10)
COALESCOPE_APPROXIMATE(log10)
COALESCOPE_APPROXIMATE(expm1)
COALESCOPE_APPROXIMATE(log1p)
COALESCOPE_APPROXIMATE(tan)
COALESCOPE_APPROXIMATE(sinh)
COALESCOPE_APPROXIMATE(cosh)
COALESCOPE_APPROXIMATE(asinh)
COALESCOPE_APPROXIMATE(acosh)
COALESCOPE_APPROXIMATE(atanh)
COALESCOPE_APPROXIMATE(sinpi)
COALESCOPE_APPROXIMATE(cospi)
COALESCOPE_APPROXIMATE(asin)
COALESCOPE_APPROXIMATE(acos)
COALESCOPE_APPROXIMATE(atan)
COALESCOPE_APPROXIMATE(erf)
COALESCOPE_APPROXIMATE(erfc)
COALESCOPE_APPROXIMATE(normcdf)
COALESCOPE_APPROXIMATE(cbrt)
COALESCOPE_DEVICE float atan2(float y, float x) { return atan2f(y, x); }
COALESCOPE_DEVICE double atan2(double y, double x) { return atan2f(float(y), float(x)); }
COALESCOPE_DEVICE float fmod(float x, float y) { return fmodf(x, y); }
COALESCOPE_DEVICE float round(float x) { return roundf(x); }
COALESCOPE_DEVICE float hypot(float x, float y) { return hypotf(x, y); }
COALESCOPE_DEVICE float copysign(float x, float y) { return copysignf(x, y); }
COALESCOPE_DEVICE float fma(float a, float b, float c) { return fmaf(a, b, c); }
COALESCOPE_DEVICE float fmin(float a, float b) { return fminf(a, b); }
COALESCOPE_DEVICE float fmax(float a, float b) { return fmaxf(a, b); }
COALESCOPE_DEVICE float pow(float x, float y) { return powf(x, y); }
COALESCOPE_DEVICE double pow(double x, double y) { return powf(float(x), float(y)); }

COALESCOPE_DEVICE float __expf(float x) { return expf(x); }
COALESCOPE_DEVICE float __logf(float x) { return logf(x); }
COALESCOPE_DEVICE float __log2f(float x) { return log2f(x); }
COALESCOPE_DEVICE float __sinf(float x) { return sinf(x); }
COALESCOPE_DEVICE float __cosf(float x) { return cosf(x); }
COALESCOPE_DEVICE float __powf(float x, float y) { return powf(x, y); }
COALESCOPE_DEVICE float __log10f(float x) { return log10f(x); }
COALESCOPE_DEVICE float __exp10f(float x) { return exp10f(x); }
COALESCOPE_DEVICE float __tanf(float x) { return tanf(x); }
COALESCOPE_DEVICE void __sincosf(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }
COALESCOPE_DEVICE float __fdividef(float a, float b) { return a / b; }
COALESCOPE_DEVICE float __fadd_rn(float a, float b) { return __nvvm_add_rn_f(a, b); }
COALESCOPE_DEVICE float __fsub_rn(float a, float b) { return __nvvm_add_rn_f(a, -b); }
COALESCOPE_DEVICE float __fmul_rn(float a, float b) { return __nvvm_mul_rn_f(a, b); }
COALESCOPE_DEVICE float __fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
COALESCOPE_DEVICE float __fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
COALESCOPE_DEVICE float __frsqrt_rn(float x) { return rsqrtf(x); }
COALESCOPE_DEVICE double __dadd_rn(double a, double b) { return __nvvm_add_rn_d(a, b); }
COALESCOPE_DEVICE double __dmul_rn(double a, double b) { return __nvvm_mul_rn_d(a, b); }
COALESCOPE_DEVICE double __fma_rn(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
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
COALESCOPE_DEVICE int __float2int_rd(float x) { return int(floorf(x)); }
COALESCOPE_DEVICE int __float2int_ru(float x) { return int(ceilf(x)); }
COALESCOPE_DEVICE unsigned int __float2uint_rn(float x) { return (unsigned int)(rintf(x)); }
COALESCOPE_DEVICE unsigned int __float2uint_rz(float x) { return (unsigned int)(x); }
COALESCOPE_DEVICE unsigned int __float2uint_rd(float x) { return (unsigned int)(floorf(x)); }
COALESCOPE_DEVICE long long __float2ll_rn(float x) { return (long long)(rintf(x)); }
COALESCOPE_DEVICE long long __float2ll_rz(float x) { return (long long)(x); }
COALESCOPE_DEVICE int __double2int_rn(double x) { return int(rint(x)); }
COALESCOPE_DEVICE int __double2int_rz(double x) { return int(x); }
COALESCOPE_DEVICE int __double2int_rd(double x) { return int(floor(x)); }
COALESCOPE_DEVICE float __double2float_rn(double x) { return float(x); }
COALESCOPE_DEVICE float __int2float_rn(int x) { return float(x); }
COALESCOPE_DEVICE float __uint2float_rn(unsigned int x) { return float(x); }
COALESCOPE_DEVICE float __ll2float_rn(long long x) { return float(x); }
COALESCOPE_DEVICE float __ull2float_rn(unsigned long long x) { return float(x); }
COALESCOPE_DEVICE double __int2double_rn(int x) { return double(x); }
COALESCOPE_DEVICE double __uint2double_rn(unsigned int x) { return double(x); }
COALESCOPE_DEVICE long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
COALESCOPE_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
COALESCOPE_DEVICE unsigned int __sad(int a, int b, unsigned int c) { return c + (unsigned int)(a < b ? b - a : a - b); }
COALESCOPE_DEVICE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) { return c + (a < b ? b - a : a - b); }
