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
