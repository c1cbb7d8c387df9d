// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/half.h"

namespace coalescope::analysis {

std::uint16_t toSmall(double value, SmallFormat format, RoundTo rounding)
{
    const int exponentMax = (1 << format.exponentBits) - 1, bias = exponentMax / 2;
    const auto sign = std::uint16_t(std::signbit(value) ? 0x8000 : 0);
    const auto infinity = std::uint16_t(exponentMax << format.mantissaBits);
    if (std::isnan(value))
        return 0x7fff; // the canonical NaN of the hardware
    if (std::isinf(value))
        return sign | infinity;
    double magnitude = std::fabs(value);
    if (magnitude == 0)
        return sign;
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
    if (bits >= infinity)
        return sign
            | (rounding == RoundTo::Nearest || away ? infinity : std::uint16_t(infinity - 1));
    return std::uint16_t(sign | bits);
}

double fromSmall(std::uint16_t bits, SmallFormat format)
{
    const int exponentMax = (1 << format.exponentBits) - 1, bias = exponentMax / 2;
    const int exponent = (bits & 0x7fff) >> format.mantissaBits;
    const int mantissa = bits & ((1 << format.mantissaBits) - 1);
    const double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == exponentMax)
        return mantissa != 0 ? std::nan("") : sign * HUGE_VAL;
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
