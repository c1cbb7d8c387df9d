// SPDX-License-Identifier: Apache-2.0
// What kernels use of <limits>, <type_traits> and <utility>, in std, where there is no cuda::std of a CUDA toolkit.
#pragma once

#include <float.h>
#include <limits.h>

namespace std {
template <class T> struct numeric_limits;
#define COALESCOPE_LIMITS(type, least, lowestOf, most, epsilonOf, infinityOf, nanOf, isInteger, isSigned, digitCount)      \
    template <> struct numeric_limits<type> {                                                                              \
        static constexpr bool is_specialized = true, is_integer = isInteger, is_signed = isSigned;                         \
        static constexpr bool is_exact = isInteger, has_infinity = !isInteger, has_quiet_NaN = !isInteger;                 \
        static constexpr int digits = digitCount;                                                                          \
        __device__ static constexpr type min() { return least; }                                                           \
        __device__ static constexpr type lowest() { return lowestOf; }                                                     \
        __device__ static constexpr type max() { return most; }                                                            \
        __device__ static constexpr type epsilon() { return epsilonOf; }                                                   \
        __device__ static constexpr type infinity() { return infinityOf; }                                                 \
        __device__ static constexpr type quiet_NaN() { return nanOf; }                                                     \
    };
#define COALESCOPE_INTEGER(type, least, most, isSigned, digitCount)                                                        \
    COALESCOPE_LIMITS(type, least, least, most, 0, 0, 0, true, isSigned, digitCount)
COALESCOPE_LIMITS(float, FLT_MIN, -FLT_MAX, FLT_MAX, FLT_EPSILON, INFINITY, NAN, false, true, 24)
COALESCOPE_LIMITS(double, DBL_MIN, -DBL_MAX, DBL_MAX, DBL_EPSILON, HUGE_VAL, NAN, false, true, 53)
COALESCOPE_INTEGER(char, -128, 127, true, 7)
COALESCOPE_INTEGER(signed char, -128, 127, true, 7)
COALESCOPE_INTEGER(unsigned char, 0, 255, false, 8)
COALESCOPE_INTEGER(short, -32768, 32767, true, 15)
COALESCOPE_INTEGER(unsigned short, 0, 65535, false, 16)
COALESCOPE_INTEGER(int, INT_MIN, INT_MAX, true, 31)
COALESCOPE_INTEGER(unsigned int, 0, UINT_MAX, false, 32)
COALESCOPE_INTEGER(long, LLONG_MIN, LLONG_MAX, true, 63)
COALESCOPE_INTEGER(unsigned long, 0, ULLONG_MAX, false, 64)
COALESCOPE_INTEGER(long long, LLONG_MIN, LLONG_MAX, true, 63)
COALESCOPE_INTEGER(unsigned long long, 0, ULLONG_MAX, false, 64)
#undef COALESCOPE_INTEGER
#undef COALESCOPE_LIMITS

template <class T, T Value> struct integral_constant {
    static constexpr T value = Value;
    using value_type = T;
    using type = integral_constant;
    __device__ constexpr operator T() const { return Value; }
};
using true_type = integral_constant<bool, true>;
using false_type = integral_constant<bool, false>;

template <class A, class B> struct is_same : false_type { };
template <class A> struct is_same<A, A> : true_type { };
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;

template <bool Condition, class T = void> struct enable_if { };
template <class T> struct enable_if<true, T> {
    using type = T;
};
template <bool Condition, class T = void> using enable_if_t = typename enable_if<Condition, T>::type;

template <decltype(sizeof(0)) Bytes, decltype(sizeof(0)) Alignment = 16> struct aligned_storage {
    struct alignas(Alignment) type {
        unsigned char data[Bytes];
    };
};
template <decltype(sizeof(0)) Bytes, decltype(sizeof(0)) Alignment = 16> using aligned_storage_t = typename aligned_storage<Bytes, Alignment>::type;

template <bool Condition, class A, class B> struct conditional {
    using type = A;
};
template <class A, class B> struct conditional<false, A, B> {
    using type = B;
};
template <bool Condition, class A, class B> using conditional_t = typename conditional<Condition, A, B>::type;

template <class T> struct remove_const {
    using type = T;
};
template <class T> struct remove_const<const T> {
    using type = T;
};
template <class T> struct remove_reference {
    using type = T;
};
template <class T> struct remove_reference<T&> {
    using type = T;
};
template <class T> struct remove_reference<T&&> {
    using type = T;
};
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using decay_t = remove_const_t<remove_reference_t<T>>;

template <class T, class... Others> inline constexpr bool coalescope_is_one_of = (is_same_v<T, Others> || ...);
template <class T>
inline constexpr bool is_integral_v = coalescope_is_one_of<remove_const_t<T>, bool, char, signed char, unsigned char, short,
    unsigned short, int, unsigned int, long, unsigned long, long long, unsigned long long>;
template <class T> inline constexpr bool is_floating_point_v = coalescope_is_one_of<remove_const_t<T>, float, double>;
template <class T> struct is_integral : integral_constant<bool, is_integral_v<T>> { };
template <class T> struct is_floating_point : integral_constant<bool, is_floating_point_v<T>> { };

template <class T> __device__ constexpr remove_reference_t<T>&& move(T&& value)
{
    return static_cast<remove_reference_t<T>&&>(value);
}
template <class T> __device__ constexpr T&& forward(remove_reference_t<T>& value) { return static_cast<T&&>(value); }
}
