// SPDX-License-Identifier: Apache-2.0
// What nvcc includes before every source, and kernels therefore use without an #include: the constants of <cmath>
// and <climits>, short names of types, and the mathematics in std.
#pragma once

#ifdef __CUDACC_RTC__ // as <cuda/std/cstdint> has them there
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef long long intptr_t;
typedef unsigned long long uintptr_t;
#endif
#include <limits.h>

typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef unsigned char uchar; // of OpenCV, whose headers are not read

// As the toolkit's own headers define them, should they be included as well.
#ifdef __CUDACC_RTC__
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#define HUGE_VAL __builtin_bit_cast(double, 0x7ff0000000000000ll)
#define NAN __builtin_bit_cast(float, 0x7fffffff)
#else
#define INFINITY __builtin_huge_valf()
#define HUGE_VAL __builtin_huge_val()
#define NAN __builtin_nanf("")
#endif
#define HUGE_VALF INFINITY
#define RAND_MAX 2147483647

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

// Mathematics of integers, and of two different types, is that of doubles, as nvcc's headers have it.
template <class T> struct CoalescopeKind {
    enum { kind = 0 };
};
#define COALESCOPE_KIND(type, number)                                                                                                      \
    template <> struct CoalescopeKind<type> {                                                                                              \
        enum { kind = number };                                                                                                            \
    };
COALESCOPE_KIND(bool, 1)
COALESCOPE_KIND(char, 1)
COALESCOPE_KIND(signed char, 1)
COALESCOPE_KIND(unsigned char, 1)
COALESCOPE_KIND(short, 1)
COALESCOPE_KIND(unsigned short, 1)
COALESCOPE_KIND(int, 1)
COALESCOPE_KIND(unsigned int, 1)
COALESCOPE_KIND(long, 1)
COALESCOPE_KIND(unsigned long, 1)
COALESCOPE_KIND(long long, 1)
COALESCOPE_KIND(unsigned long long, 1)
COALESCOPE_KIND(float, 2)
COALESCOPE_KIND(double, 3)
#undef COALESCOPE_KIND
template <int a, int b, bool = a * b == 1 || (a * b > 0 && a != b)> struct CoalescopePromoted { };
template <int a, int b> struct CoalescopePromoted<a, b, true> {
    typedef double Real;
};

#define COALESCOPE_OF_ONE(name)                                                                                                            \
    template <class T> __device__ inline typename CoalescopePromoted<CoalescopeKind<T>::kind, CoalescopeKind<T>::kind>::Real name(T x)                          \
    {                                                                                                                                      \
        return name(double(x));                                                                                                            \
    }
COALESCOPE_OF_ONE(fabs)
COALESCOPE_OF_ONE(exp)
COALESCOPE_OF_ONE(exp2)
COALESCOPE_OF_ONE(expm1)
COALESCOPE_OF_ONE(log)
COALESCOPE_OF_ONE(log10)
COALESCOPE_OF_ONE(log1p)
COALESCOPE_OF_ONE(log2)
COALESCOPE_OF_ONE(sqrt)
COALESCOPE_OF_ONE(cbrt)
COALESCOPE_OF_ONE(sin)
COALESCOPE_OF_ONE(cos)
COALESCOPE_OF_ONE(tan)
COALESCOPE_OF_ONE(asin)
COALESCOPE_OF_ONE(acos)
COALESCOPE_OF_ONE(atan)
COALESCOPE_OF_ONE(sinh)
COALESCOPE_OF_ONE(cosh)
COALESCOPE_OF_ONE(tanh)
COALESCOPE_OF_ONE(erf)
COALESCOPE_OF_ONE(erfc)
COALESCOPE_OF_ONE(ceil)
COALESCOPE_OF_ONE(floor)
COALESCOPE_OF_ONE(trunc)
COALESCOPE_OF_ONE(round)
COALESCOPE_OF_ONE(rint)
#undef COALESCOPE_OF_ONE

#define COALESCOPE_OF_TWO(name)                                                                                                            \
    template <class A, class B>                                                                                                            \
    __device__ inline typename CoalescopePromoted<CoalescopeKind<A>::kind, CoalescopeKind<B>::kind>::Real name(A a, B b)                   \
    {                                                                                                                                      \
        return name(double(a), double(b));                                                                                                 \
    }
COALESCOPE_OF_TWO(pow)
COALESCOPE_OF_TWO(fmod)
COALESCOPE_OF_TWO(fmax)
COALESCOPE_OF_TWO(fmin)
COALESCOPE_OF_TWO(hypot)
COALESCOPE_OF_TWO(atan2)
#undef COALESCOPE_OF_TWO

namespace std {
#ifdef COALESCOPE_BYTE // where it is asked for in full: others may have a byte of their own
enum class byte : unsigned char { };
__host__ __device__ constexpr byte operator|(byte a, byte b) { return byte((unsigned char)(a) | (unsigned char)(b)); }
__host__ __device__ constexpr byte operator&(byte a, byte b) { return byte((unsigned char)(a) & (unsigned char)(b)); }
__host__ __device__ constexpr byte operator^(byte a, byte b) { return byte((unsigned char)(a) ^ (unsigned char)(b)); }
__host__ __device__ constexpr byte operator~(byte a) { return byte(~(unsigned char)(a)); }
template <class T> __host__ __device__ constexpr byte operator<<(byte a, T bits) { return byte((unsigned char)(a) << bits); }
template <class T> __host__ __device__ constexpr byte operator>>(byte a, T bits) { return byte((unsigned char)(a) >> bits); }
__host__ __device__ inline byte& operator|=(byte& a, byte b) { return a = a | b; }
__host__ __device__ inline byte& operator&=(byte& a, byte b) { return a = a & b; }
__host__ __device__ inline byte& operator^=(byte& a, byte b) { return a = a ^ b; }
template <class T> __host__ __device__ constexpr T to_integer(byte a) { return T((unsigned char)(a)); }
#endif

using ::abs, ::fabs, ::fmod, ::remainder, ::fma, ::fmax, ::fmin, ::fdim;
using ::exp, ::exp2, ::expm1, ::log, ::log10, ::log1p, ::log2, ::pow, ::sqrt, ::cbrt, ::hypot;
using ::sin, ::cos, ::tan, ::asin, ::acos, ::atan, ::atan2, ::sinh, ::cosh, ::tanh, ::asinh, ::acosh, ::atanh;
using ::erf, ::erfc;
#ifdef __CUDACC_RTC__
using ::tgamma, ::lgamma;
#endif
using ::ceil, ::floor, ::trunc, ::round, ::nearbyint, ::rint, ::lround, ::llround, ::lrint, ::llrint;
using ::isfinite, ::isinf, ::isnan, ::signbit, ::copysign, ::ldexp, ::modf;
}
