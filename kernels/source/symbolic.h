// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

/// A number that a program's host code computes: its value, and the expression of a manifest that gives it.
///
/// The expression is over parameters, values that have a name in the program and are written down there. A number without
/// one is a constant. What no expression can say (rounding of fractions, calls) is a constant, too. So is what a comparison
/// gives, which keeps beside it what was asked: see choice().
struct Symbolic {
    bool isReal = false;
    double real = 0;
    std::int64_t integer = 0;
    std::string base; ///< the expression without its factor; empty: a constant
    std::int64_t factor = 1; ///< of the expression
    int strength = 4; ///< of the base's weakest operator: 4 none, 3 a product, 2 a quotient, 1 a sum, 0 another
    std::vector<std::string> parameters; ///< in the expression
    std::string condition; ///< of a manifest: "n > 1024"; empty: none
    std::vector<std::string> asked; ///< parameters in the condition
    bool isGuessed = false; ///< a real number that nobody knows, as it is handed on

    [[nodiscard]] static Symbolic ofInteger(std::int64_t value);
    [[nodiscard]] static Symbolic ofReal(double value);
    [[nodiscard]] static Symbolic ofParameter(std::string_view name, std::int64_t value);

    [[nodiscard]] bool isConstant() const { return base.empty(); }
    [[nodiscard]] double asReal() const { return isReal ? real : double(integer); }
    [[nodiscard]] std::int64_t asInteger() const; ///< towards zero; what is out of range becomes 0
    [[nodiscard]] std::string text() const; ///< "cdiv(n, 256) * 4", or the constant
};

/// C++'s operator on two numbers: + - * / % << >> & | ^ < <= > >= == != && ||. Division by zero gives 0.
[[nodiscard]] Symbolic applied(std::string_view op, const Symbolic& a, const Symbolic& b);

/// - ! ~, and + for itself.
[[nodiscard]] Symbolic applied(std::string_view op, const Symbolic& a);

[[nodiscard]] Symbolic smaller(const Symbolic& a, const Symbolic& b);
[[nodiscard]] Symbolic larger(const Symbolic& a, const Symbolic& b);

/// condition ? a : b. The expression has the condition where that depends on parameters and both are integers.
[[nodiscard]] Symbolic choice(const Symbolic& condition, const Symbolic& a, const Symbolic& b);

/// ceil and floor; of a quotient of integers that was taken as a fraction they are cdiv and //.
[[nodiscard]] Symbolic roundedUp(const Symbolic& a);
[[nodiscard]] Symbolic roundedDown(const Symbolic& a);

/// a / b of integers, rounded up: (a + (b - 1)) / b.
[[nodiscard]] Symbolic dividedUp(const Symbolic& a, const Symbolic& b);

/// As a conversion to an integer, or to a fraction, does.
[[nodiscard]] Symbolic asInteger(const Symbolic& a);
[[nodiscard]] Symbolic asReal(const Symbolic& a);

/// The value of a C++ literal, "1e-3f", "0x10u", "1'000"; 0 where it is none.
[[nodiscard]] Symbolic literal(std::string_view text);

} // namespace coalescope::kernels
