// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/warp.h"

#include <cmath>
#include <cstdint>

namespace coalescope::analysis {

/// A binary floating-point format of 8 or 16 bits.
struct SmallFormat {
    int mantissaBits; ///< stored ones
    int exponentBits;
    bool hasInfinities = true; ///< else all bits are one in a NaN, and only there

    [[nodiscard]] constexpr int signBit() const { return 1 << (mantissaBits + exponentBits); }
    [[nodiscard]] constexpr int largestExponent() const { return (1 << exponentBits) - 1; }
    /// The least magnitude that is no number.
    [[nodiscard]] constexpr int infinity() const
    {
        return hasInfinities ? largestExponent() << mantissaBits : signBit() - 1;
    }
};
inline constexpr SmallFormat kHalfFormat { 10, 5 };
inline constexpr SmallFormat kBFloatFormat { 7, 8 };
inline constexpr SmallFormat kE4M3Format { 3, 4, false };
inline constexpr SmallFormat kE5M2Format { 2, 5 };

enum class RoundTo : std::uint8_t { Nearest, Zero, Down, Up };
enum class Overflow : std::uint8_t {
    Rounded, ///< as the rounding has it
    Finite, ///< to the largest number, from infinity too
};

/// Rounds a double to a small format in one step.
[[nodiscard]] std::uint16_t toSmall(double value, SmallFormat format, RoundTo rounding = RoundTo::Nearest,
    Overflow overflow = Overflow::Rounded);
[[nodiscard]] double fromSmall(std::uint16_t bits, SmallFormat format);

/// The exact a * b + c, rounded to odd: rounding it again to fewer bits is as good as rounding
/// once.
[[nodiscard]] double fusedToOdd(double a, double b, double c);
[[nodiscard]] double sumToOdd(double a, double b);

template <class Format> struct Small {
    std::uint16_t bits = 0;
    Small() = default;
    explicit Small(double value)
        : bits(toSmall(value, Format::kFormat))
    {
    }
    [[nodiscard]] double value() const { return fromSmall(bits, Format::kFormat); }
    operator double() const { return value(); }
};
struct HalfTag {
    static constexpr SmallFormat kFormat = kHalfFormat;
};
struct BFloatTag {
    static constexpr SmallFormat kFormat = kBFloatFormat;
};
using Half = Small<HalfTag>;
using BFloat = Small<BFloatTag>;

template <> inline Half as<Half>(Word word)
{
    Half h;
    h.bits = std::uint16_t(word);
    return h;
}
template <> inline BFloat as<BFloat>(Word word)
{
    BFloat h;
    h.bits = std::uint16_t(word);
    return h;
}
template <> inline Word word<Half>(Half value) { return value.bits; }
template <> inline Word word<BFloat>(BFloat value) { return value.bits; }

/// .ftz: subnormal numbers count as zero of their sign.
[[nodiscard]] inline float flushed(float value)
{
    return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}
template <class Tag> [[nodiscard]] inline Small<Tag> flushed(Small<Tag> value)
{
    const int exponent = ((1 << Tag::kFormat.exponentBits) - 1) << Tag::kFormat.mantissaBits;
    if ((value.bits & exponent) == 0)
        value.bits &= 0x8000;
    return value;
}

} // namespace coalescope::analysis
