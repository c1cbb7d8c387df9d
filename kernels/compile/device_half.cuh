// SPDX-License-Identifier: Apache-2.0
// A stand-in for <cuda_fp16.h>: enough to move half values and to calculate a little with them.
#pragma once

struct __attribute__((aligned(2))) __half {
    unsigned short bits;
    __half() = default;
    COALESCOPE_INLINE __half(float value)
    {
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    }
    COALESCOPE_INLINE operator float() const
    {
        float value;
        asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
        return value;
    }
};
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
};
typedef __half half;
typedef __half2 half2;

COALESCOPE_DEVICE float __half2float(__half value) { return value; }
COALESCOPE_DEVICE __half __float2half(float value) { return __half(value); }
COALESCOPE_DEVICE __half __float2half_rn(float value) { return __half(value); }
COALESCOPE_DEVICE __half2 make_half2(__half x, __half y) { return __half2 { x, y }; }
COALESCOPE_DEVICE __half2 __halves2half2(__half x, __half y) { return __half2 { x, y }; }
COALESCOPE_DEVICE __half __low2half(__half2 value) { return value.x; }
COALESCOPE_DEVICE __half __high2half(__half2 value) { return value.y; }
COALESCOPE_DEVICE unsigned short __half_as_ushort(__half value) { return value.bits; }
COALESCOPE_DEVICE __half __ushort_as_half(unsigned short bits)
{
    __half value;
    value.bits = bits;
    return value;
}
// A float holds the exact sum and product of two halves closely enough that rounding it again is right.
COALESCOPE_DEVICE __half __hadd(__half a, __half b) { return __half(float(a) + float(b)); }
COALESCOPE_DEVICE __half __hsub(__half a, __half b) { return __half(float(a) - float(b)); }
COALESCOPE_DEVICE __half __hmul(__half a, __half b) { return __half(float(a) * float(b)); }
COALESCOPE_DEVICE __half __hfma(__half a, __half b, __half c)
{
    __half result;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(result.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return result;
}
COALESCOPE_DEVICE __half __hneg(__half a) { return __half(-float(a)); }
COALESCOPE_DEVICE __half __hmax(__half a, __half b) { return float(a) > float(b) ? a : b; }
COALESCOPE_DEVICE __half __hmin(__half a, __half b) { return float(a) < float(b) ? a : b; }

COALESCOPE_DEVICE float __low2float(__half2 value) { return value.x; }
COALESCOPE_DEVICE float __high2float(__half2 value) { return value.y; }
COALESCOPE_DEVICE float2 __half22float2(__half2 value) { return make_float2(value.x, value.y); }
COALESCOPE_DEVICE __half2 __half2half2(__half value) { return __half2 { value, value }; }
COALESCOPE_DEVICE __half2 __float2half2_rn(float value) { return __half2 { __half(value), __half(value) }; }
COALESCOPE_DEVICE __half2 __floats2half2_rn(float x, float y) { return __half2 { __half(x), __half(y) }; }
COALESCOPE_DEVICE __half2 __float22half2_rn(float2 value) { return __half2 { __half(value.x), __half(value.y) }; }
COALESCOPE_DEVICE __half2 __hadd2(__half2 a, __half2 b) { return __half2 { __hadd(a.x, b.x), __hadd(a.y, b.y) }; }
COALESCOPE_DEVICE __half2 __hsub2(__half2 a, __half2 b) { return __half2 { __hsub(a.x, b.x), __hsub(a.y, b.y) }; }
COALESCOPE_DEVICE __half2 __hmul2(__half2 a, __half2 b) { return __half2 { __hmul(a.x, b.x), __hmul(a.y, b.y) }; }
COALESCOPE_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return __half2 { __hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y) };
}
