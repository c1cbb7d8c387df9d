// SPDX-License-Identifier: Apache-2.0
// CUDA's vector types: aligned to their size where that is a power of two up to 16, as CUDA aligns them,
// because the alignment decides whether one instruction can move them.
//
// They are copied as one vector value. Copied member by member, clang 16 and newer would take four loads and
// regroup those of neighbouring rows, and the accesses would no longer be the ones that NVIDIA's compiler
// makes. trivial_abi keeps them passed by value, as kernel parameters must be.
#pragma once

#define COALESCOPE_BOTH __inline__ __attribute__((host, device, always_inline, nodebug))

#define COALESCOPE_COPIED_AS_ONE(type, base, count, alignment)                                               \
    typedef base Value __attribute__((ext_vector_type(count), aligned(alignment)));                          \
    type() = default;                                                                                        \
    COALESCOPE_BOTH type(const type& other) { *(Value*)this = *(const Value*)&other; }                       \
    COALESCOPE_BOTH type& operator=(const type& other)                                                       \
    {                                                                                                        \
        *(Value*)this = *(const Value*)&other;                                                               \
        return *this;                                                                                        \
    }

#define COALESCOPE_VECTORS(base, name, align2, align4)                                                       \
    struct name##1 {                                                                                         \
        base x;                                                                                              \
    };                                                                                                       \
    struct __attribute__((aligned(align2), trivial_abi)) name##2 {                                           \
        base x, y;                                                                                           \
        COALESCOPE_COPIED_AS_ONE(name##2, base, 2, align2)                                                   \
        constexpr COALESCOPE_BOTH name##2(base x_, base y_)                                                  \
            : x(x_)                                                                                          \
            , y(y_)                                                                                          \
        {                                                                                                    \
        }                                                                                                    \
    };                                                                                                       \
    struct name##3 {                                                                                         \
        base x, y, z;                                                                                        \
    };                                                                                                       \
    struct __attribute__((aligned(align4), trivial_abi)) name##4 {                                           \
        base x, y, z, w;                                                                                     \
        COALESCOPE_COPIED_AS_ONE(name##4, base, 4, align4)                                                   \
        constexpr COALESCOPE_BOTH name##4(base x_, base y_, base z_, base w_)                                \
            : x(x_)                                                                                          \
            , y(y_)                                                                                          \
            , z(z_)                                                                                          \
            , w(w_)                                                                                          \
        {                                                                                                    \
        }                                                                                                    \
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
