// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/half.h"

namespace coalescope::analysis {

std::uint16_t toSmall(double value, SmallFormat format, RoundTo rounding, Overflow overflow)
{
    const int bias = format.largestExponent() / 2, infinity = format.infinity();
    const int sign = std::signbit(value) ? format.signBit() : 0;
    const int largest = infinity - 1;
    if (std::isnan(value))
        return std::uint16_t(format.signBit() - 1); // the canonical NaN of the hardware
    if (std::isinf(value))
        return std::uint16_t(sign | (overflow == Overflow::Finite ? largest : infinity));
    double magnitude = std::fabs(value);
    if (magnitude == 0)
        return std::uint16_t(sign);
    int exponent = std::ilogb(magnitude);
    exponent = std::max(exponent, 1 - bias);
    const double scaled = std::ldexp(magnitude, format.mantissaBits - exponent); // exact
    double whole = std::floor(scaled);
    const double rest = scaled - whole;
    const bool away
        = (rounding == RoundTo::Up && sign == 0) || (rounding == RoundTo::Down && sign != 0);
    const bool odd = std::fmod(whole, 2) != 0;
    if (rounding == RoundTo::Nearest ? rest > 0.5 || (rest == 0.5 && odd) : away && rest > 0)
        whole += 1;
    // A carry out of the mantissa moves into the exponent by itself.
    const auto mantissa = std::uint32_t(whole);
    const std::uint32_t implicit = 1u << format.mantissaBits;
    const std::uint32_t bits = mantissa < implicit
        ? mantissa
        : std::uint32_t((exponent + bias) << format.mantissaBits) + (mantissa - implicit);
    if (bits < std::uint32_t(infinity))
        return std::uint16_t(std::uint32_t(sign) | bits);
    const bool stays = overflow == Overflow::Finite || (rounding != RoundTo::Nearest && !away);
    return std::uint16_t(sign | (stays ? largest : infinity));
}

double fromSmall(std::uint16_t bits, SmallFormat format)
{
    const int magnitude = bits & (format.signBit() - 1), bias = format.largestExponent() / 2;
    const int exponent = magnitude >> format.mantissaBits;
    const int mantissa = magnitude & ((1 << format.mantissaBits) - 1);
    const double sign = (bits & format.signBit()) != 0 ? -1 : 1;
    if (magnitude >= format.infinity())
        return format.hasInfinities && mantissa == 0 ? sign * HUGE_VAL : std::nan("");
    if (exponent == 0)
        return sign * std::ldexp(mantissa, 1 - bias - format.mantissaBits);
    return sign
        * std::ldexp(mantissa + (1 << format.mantissaBits), exponent - bias - format.mantissaBits);
}

double sumToOdd(double a, double b)
{
    const double sum = a + b;
    if (!std::isfinite(sum))
        return sum;
    const double bPart = sum - a;
    const double error = (a - (sum - bPart)) + (b - bPart);
    if (error == 0 || std::bit_cast<std::uint64_t>(sum) & 1)
        return sum;
    return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

// The product of two numbers of 16 bits is exact in a double.
double fusedToOdd(double a, double b, double c) { return sumToOdd(a * b, c); }

} // namespace coalescope::analysis
