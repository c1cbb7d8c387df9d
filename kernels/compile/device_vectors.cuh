// SPDX-License-Identifier: Apache-2.0
// CUDA's vector types: aligned to their size where that is a power of two up to 16, as CUDA aligns them,
// because the alignment decides whether one instruction can move them.
#pragma once

#define COALESCOPE_VECTORS(base, name, align2, align4)                                                       \
    struct name##1 {                                                                                         \
        base x;                                                                                              \
    };                                                                                                       \
    struct __attribute__((aligned(align2))) name##2 {                                                        \
        base x, y;                                                                                           \
    };                                                                                                       \
    struct name##3 {                                                                                         \
        base x, y, z;                                                                                        \
    };                                                                                                       \
    struct __attribute__((aligned(align4))) name##4 {                                                        \
        base x, y, z, w;                                                                                     \
    };                                                                                                       \
    COALESCOPE_DEVICE name##1 make_##name##1(base x) { return name##1 { x }; }                               \
    COALESCOPE_DEVICE name##2 make_##name##2(base x, base y) { return name##2 { x, y }; }                    \
    COALESCOPE_DEVICE name##3 make_##name##3(base x, base y, base z) { return name##3 { x, y, z }; }         \
    COALESCOPE_DEVICE name##4 make_##name##4(base x, base y, base z, base w) { return name##4 { x, y, z, w }; }

COALESCOPE_VECTORS(signed char, char, 2, 4)
COALESCOPE_VECTORS(unsigned char, uchar, 2, 4)
COALESCOPE_VECTORS(short, short, 4, 8)
COALESCOPE_VECTORS(unsigned short, ushort, 4, 8)
COALESCOPE_VECTORS(int, int, 8, 16)
COALESCOPE_VECTORS(unsigned int, uint, 8, 16)
COALESCOPE_VECTORS(long, long, 16, 16)
COALESCOPE_VECTORS(unsigned long, ulong, 16, 16)
COALESCOPE_VECTORS(long long, longlong, 16, 16)
COALESCOPE_VECTORS(unsigned long long, ulonglong, 16, 16)
COALESCOPE_VECTORS(float, float, 8, 16)
COALESCOPE_VECTORS(double, double, 16, 16)

struct dim3 {
    unsigned int x, y, z;
    constexpr __attribute__((host, device)) dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
        : x(x_)
        , y(y_)
        , z(z_)
    {
    }
    constexpr __attribute__((host, device)) dim3(uint3 v)
        : x(v.x)
        , y(v.y)
        , z(v.z)
    {
    }
};
