// SPDX-License-Identifier: Apache-2.0
#include "kernels/source/symbolic.h"

#include "analysis/result/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace coalescope::kernels {
namespace {

constexpr int kAtom = 4, kProduct = 3, kQuotient = 2, kSum = 1, kOther = 0; // a product may hold no quotient
constexpr std::size_t kLongest = 1000; ///< of an expression's text; beyond it is a constant

std::string bracketed(const std::string& text, bool brackets) { return brackets ? "(" + text + ")" : text; }

/// Of the whole text.
int strengthOf(const Symbolic& a)
{
    if (a.isConstant())
        return a.asReal() < 0 ? kSum : kAtom;
    return a.factor == 1 ? a.strength : a.strength == kQuotient ? kQuotient : kProduct;
}

/// In brackets, unless it is as strong.
std::string operand(const Symbolic& a, int strength)
{
    return bracketed(a.text(), strengthOf(a) < strength);
}

Symbolic valueOnly(const Symbolic& a)
{
    return a.isReal ? Symbolic::ofReal(a.real) : Symbolic::ofInteger(a.integer);
}

void addNames(std::vector<std::string>& names, const std::vector<std::string>& more)
{
    for (const std::string& name : more)
        if (std::ranges::find(names, name) == names.end())
            names.push_back(name);
}

Symbolic withText(Symbolic value, std::string text, int strength, const Symbolic& a, const Symbolic& b)
{
    if (text.size() > kLongest)
        return valueOnly(value);
    value.base = std::move(text);
    value.strength = strength;
    value.factor = 1;
    value.parameters = a.parameters;
    addNames(value.parameters, b.parameters);
    return value;
}

/// Of a number that is asked for itself: a comparison's, or that it is not 0.
std::string conditionOf(const Symbolic& a)
{
    return !a.condition.empty() || a.isConstant() ? a.condition : operand(a, kSum) + " ~= 0";
}

Symbolic asking(Symbolic value, std::string condition, const Symbolic& a, const Symbolic& b)
{
    if (condition.size() > kLongest)
        return value;
    value.condition = std::move(condition);
    for (const Symbolic* each : { &a, &b })
        addNames(value.asked, each->condition.empty() ? each->parameters : each->asked);
    return value;
}

/// a && b, a || b; the one that is a constant goes.
Symbolic joined(std::string_view op, const Symbolic& a, const Symbolic& b, const Symbolic& value)
{
    const std::string left = conditionOf(a), right = conditionOf(b);
    const auto decides = [&](const Symbolic& one) { return (one.asReal() != 0) == (op == "||"); };
    if ((left.empty() && decides(a)) || (right.empty() && decides(b)) || (left.empty() && right.empty()))
        return value;
    if (left.empty() || right.empty())
        return asking(value, left + right, a, b);
    return asking(value, bracketed(bracketed(left, true) + (op == "&&" ? " and " : " or ") + bracketed(right, true), op == "||"), a, b);
}

/// C++'s wrap-around, without its undefined behaviour.
std::int64_t wrapped(std::uint64_t value) { return std::int64_t(value); }

std::int64_t integerResult(std::string_view op, std::int64_t a, std::int64_t b)
{
    const auto ua = std::uint64_t(a), ub = std::uint64_t(b);
    if (op == "+")
        return wrapped(ua + ub);
    if (op == "-")
        return wrapped(ua - ub);
    if (op == "*")
        return wrapped(ua * ub);
    if (op == "/" || op == "%") {
        if (b == 0 || (b == -1 && a == INT64_MIN))
            return 0;
        return op == "/" ? a / b : a % b;
    }
    if (op == "<<")
        return b >= 0 && b < 64 ? wrapped(ua << b) : 0;
    if (op == ">>")
        return b >= 0 && b < 64 ? a >> b : 0;
    if (op == "&")
        return a & b;
    if (op == "|")
        return a | b;
    return a ^ b;
}

double realResult(std::string_view op, double a, double b)
{
    if (op == "+")
        return a + b;
    if (op == "-")
        return a - b;
    if (op == "*")
        return a * b;
    return op == "/" && b != 0 ? a / b : 0;
}

bool isComparison(std::string_view op)
{
    return op == "<" || op == "<=" || op == ">" || op == ">=" || op == "==" || op == "!=" || op == "&&" || op == "||";
}

bool holds(std::string_view op, double a, double b)
{
    if (op == "<")
        return a < b;
    if (op == "<=")
        return a <= b;
    if (op == ">")
        return a > b;
    if (op == ">=")
        return a >= b;
    if (op == "==")
        return a == b;
    if (op == "!=")
        return a != b;
    return op == "&&" ? a != 0 && b != 0 : a != 0 || b != 0;
}

Symbolic compared(std::string_view op, const Symbolic& a, const Symbolic& b)
{
    const Symbolic value = Symbolic::ofInteger(holds(op, a.asReal(), b.asReal()));
    if (op == "&&" || op == "||")
        return joined(op, a, b, value);
    if (a.isConstant() && b.isConstant())
        return value;
    return asking(value, operand(a, kSum) + " " + (op == "!=" ? "~=" : std::string(op)) + " " + operand(b, kSum), a, b);
}

/// a * factor, where the other one is a constant integer.
Symbolic scaled(Symbolic a, std::int64_t factor, const Symbolic& value)
{
    a.factor = integerResult("*", a.factor, factor);
    a.integer = value.integer;
    return a.factor == 0 ? Symbolic::ofInteger(0) : a;
}

/// (x + d - 1) / d, which rounds up.
bool roundsUp(const Symbolic& a, const Symbolic& b, std::string& numerator)
{
    if (a.factor != 1 || a.strength != kSum)
        return false;
    const std::string divisor = operand(b, kQuotient);
    const std::string ends[] { " + " + divisor + " - 1", b.isConstant() ? " + " + std::to_string(b.integer - 1) : " + (" + divisor + " - 1)" };
    for (const std::string& end : ends) {
        if (a.base.ends_with(end) && a.base.size() > end.size()) {
            numerator = a.base.substr(0, a.base.size() - end.size());
            return true;
        }
    }
    return false;
}

/// The factors of a product, as its text has them.
std::vector<std::string> factorsOf(const std::string& product)
{
    std::vector<std::string> factors(1);
    int depth = 0;
    for (std::size_t i = 0; i < product.size(); ++i) {
        depth += product[i] == '(';
        depth -= product[i] == ')';
        if (depth == 0 && product.compare(i, 3, " * ") == 0) {
            factors.emplace_back();
            i += 2;
        } else {
            factors.back() += product[i];
        }
    }
    return factors;
}

/// n * m of n * m * k / k; nothing where the divisor is no factor.
std::optional<Symbolic> withoutFactors(const Symbolic& a, const Symbolic& b, const Symbolic& value)
{
    if (b.isConstant() || a.strength < kProduct || b.integer == 0 || b.factor == 0 || a.factor % b.factor != 0)
        return std::nullopt;
    std::vector<std::string> factors = factorsOf(a.base);
    for (const std::string& factor : b.strength < kProduct ? std::vector { "(" + b.base + ")" } : factorsOf(b.base)) {
        const auto same = std::ranges::find(factors, factor);
        if (same == factors.end())
            return std::nullopt;
        factors.erase(same);
    }
    if (factors.empty())
        return Symbolic::ofInteger(value.integer);
    Symbolic left = a;
    left.integer = value.integer;
    left.factor = a.factor / b.factor;
    left.base.clear();
    for (const std::string& factor : factors)
        left.base += (left.base.empty() ? "" : " * ") + factor;
    left.strength = factors.size() > 1 || factors[0].front() == '(' ? kProduct : kAtom;
    std::erase_if(left.parameters, [&](const std::string& name) { return left.base.find(name) == left.base.npos; });
    return left;
}

/// C++ divides towards zero, an expression's // and % do not.
bool isTowardsZero(const Symbolic& a, const Symbolic& b) { return a.integer < 0 || b.integer < 0; }

Symbolic quotient(const Symbolic& a, const Symbolic& b, const Symbolic& value, bool isShift = false)
{
    if (value.isReal)
        return withText(value, operand(a, kQuotient) + " / " + operand(b, kAtom), kQuotient, a, b);
    if (b.isConstant() && b.integer != 0 && a.factor % b.integer == 0) {
        Symbolic exact = a;
        exact.factor = a.factor / b.integer;
        exact.integer = value.integer;
        return exact;
    }
    if (b.isConstant() && b.integer == 1)
        return a;
    if (auto whole = withoutFactors(a, b, value))
        return *std::move(whole);
    if (isTowardsZero(a, b) && !isShift)
        return withText(value, "tdiv(" + a.text() + ", " + b.text() + ")", kAtom, a, b);
    if (std::string numerator; roundsUp(a, b, numerator))
        return withText(value, "cdiv(" + numerator + ", " + b.text() + ")", kAtom, a, b);
    return withText(value, operand(a, kQuotient) + " // " + operand(b, kAtom), kQuotient, a, b);
}

Symbolic sum(std::string_view op, const Symbolic& a, const Symbolic& b, const Symbolic& value)
{
    if (b.isConstant() && b.asReal() == 0)
        return a;
    if (op == "+" && a.isConstant() && a.asReal() == 0)
        return b;
    if (!value.isReal && a.base == b.base) {
        Symbolic one = a;
        one.factor = 1;
        return scaled(one, integerResult(op, a.factor, b.factor), value);
    }
    return withText(value, operand(a, kSum) + " " + std::string(op) + " " + operand(b, op == "-" || (b.isConstant() && b.asReal() < 0) ? kQuotient : kSum), kSum, a, b);
}

Symbolic product(const Symbolic& a, const Symbolic& b, const Symbolic& value)
{
    if (!value.isReal && b.isConstant())
        return scaled(a, b.integer, value);
    if (!value.isReal && a.isConstant())
        return scaled(b, a.integer, value);
    Symbolic left = a, right = b;
    left.factor = right.factor = 1;
    const int strength = strengthOf(left) == kQuotient ? kQuotient : kProduct;
    Symbolic result = withText(value, operand(left, kQuotient) + " * " + operand(right, kProduct), strength, a, b);
    if (!result.isConstant())
        result.factor = integerResult("*", a.factor, b.factor);
    return result;
}

/// The one of two numbers that a function gives.
Symbolic chosen(const std::string& function, const Symbolic& one, const Symbolic& a, const Symbolic& b)
{
    const bool hasText = !(a.isConstant() && b.isConstant()) && !a.isReal && !b.isReal;
    return hasText ? withText(valueOnly(one), function + "(" + a.text() + ", " + b.text() + ")", kAtom, a, b) : valueOnly(one);
}

} // namespace

Symbolic Symbolic::ofInteger(std::int64_t value)
{
    return { .integer = value };
}

Symbolic Symbolic::ofReal(double value)
{
    return { .isReal = true, .real = value };
}

Symbolic Symbolic::ofParameter(std::string_view name, std::int64_t value)
{
    return { .integer = value, .base = std::string(name), .parameters = { std::string(name) } };
}

std::int64_t Symbolic::asInteger() const
{
    if (!isReal)
        return integer;
    return std::abs(real) < 9e18 ? std::int64_t(real) : 0;
}

std::string Symbolic::text() const
{
    if (base.empty())
        return isReal ? analysis::numberText(real) : std::to_string(integer);
    return factor == 1 ? base : bracketed(base, strength < kQuotient) + " * " + std::to_string(factor);
}

Symbolic applied(std::string_view op, const Symbolic& a, const Symbolic& b)
{
    if (isComparison(op))
        return compared(op, a, b);
    const bool isReal = a.isReal || b.isReal;
    const Symbolic value = isReal ? Symbolic::ofReal(realResult(op, a.asReal(), b.asReal()))
                                  : Symbolic::ofInteger(integerResult(op, a.integer, b.integer));
    if (a.isConstant() && b.isConstant())
        return value;
    if (op == "+" || op == "-")
        return sum(op, a, b, value);
    if (op == "*")
        return product(a, b, value);
    if (op == "/")
        return quotient(a, b, value);
    if (isReal)
        return value;
    if (op == "<<" && b.isConstant() && b.integer >= 0 && b.integer < 62)
        return scaled(a, std::int64_t(1) << b.integer, value);
    if (op == ">>" && b.isConstant() && b.integer >= 0 && b.integer < 62)
        return quotient(a, Symbolic::ofInteger(std::int64_t(1) << b.integer), value, true);
    if (op == "%")
        return isTowardsZero(a, b) ? withText(value, "tmod(" + a.text() + ", " + b.text() + ")", kAtom, a, b) : withText(value, operand(a, kQuotient) + " % " + operand(b, kAtom), kQuotient, a, b);
    const std::string lua(op == "^" ? "~" : op);
    return withText(value, bracketed(a.text(), true) + " " + lua + " " + bracketed(b.text(), true), kOther, a, b);
}

Symbolic applied(std::string_view op, const Symbolic& a)
{
    if (op == "-")
        return applied("-", a.isReal ? Symbolic::ofReal(0) : Symbolic::ofInteger(0), a);
    if (op == "!") {
        const Symbolic value = Symbolic::ofInteger(a.asReal() == 0);
        const std::string condition = conditionOf(a);
        return condition.empty() ? value : asking(value, "not (" + condition + ")", a, Symbolic {});
    }
    return op == "~" ? Symbolic::ofInteger(~a.asInteger()) : a;
}

Symbolic smaller(const Symbolic& a, const Symbolic& b)
{
    return chosen("min", b.asReal() < a.asReal() ? b : a, a, b);
}

Symbolic larger(const Symbolic& a, const Symbolic& b)
{
    return chosen("max", a.asReal() < b.asReal() ? b : a, a, b);
}

Symbolic choice(const Symbolic& condition, const Symbolic& a, const Symbolic& b)
{
    const Symbolic& one = condition.asReal() != 0 ? a : b;
    const std::string text = conditionOf(condition);
    if (text.empty() || a.isReal || b.isReal || a.text() == b.text())
        return one;
    const auto asks = [&](const Symbolic& left, const Symbolic& right, std::string_view op) {
        const std::string plain = operand(left, kSum) + " " + std::string(op) + " " + operand(right, kSum);
        return text == plain || text == operand(left, kSum) + " " + std::string(op) + "= " + operand(right, kSum);
    };
    if (asks(a, b, "<") || asks(b, a, ">"))
        return smaller(a, b);
    if (asks(a, b, ">") || asks(b, a, "<"))
        return larger(a, b);
    Symbolic result = withText(valueOnly(one), text + " and " + operand(a, kSum) + " or " + operand(b, kSum), kOther, a, b);
    if (!result.isConstant())
        addNames(result.parameters, condition.condition.empty() ? condition.parameters : condition.asked);
    return result;
}

Symbolic dividedUp(const Symbolic& a, const Symbolic& b)
{
    return applied("/", applied("+", a, applied("-", b, Symbolic::ofInteger(1))), b);
}

Symbolic roundedUp(const Symbolic& a)
{
    if (!a.isReal)
        return a;
    Symbolic result = Symbolic::ofReal(std::ceil(a.real));
    const auto slash = a.base.find(" / ");
    if (slash == std::string::npos || a.factor != 1 || a.base.find(" / ", slash + 1) != std::string::npos || a.base.find('.') != std::string::npos)
        return result;
    return withText(result, "cdiv(" + a.base.substr(0, slash) + ", " + a.base.substr(slash + 3) + ")", kAtom, a, a);
}

Symbolic roundedDown(const Symbolic& a)
{
    if (!a.isReal)
        return a;
    Symbolic result = Symbolic::ofReal(std::floor(a.real));
    const auto slash = a.base.find(" / ");
    if (slash == std::string::npos || a.factor != 1 || a.base.find('.') != std::string::npos)
        return result;
    return withText(result, a.base.substr(0, slash) + " // " + a.base.substr(slash + 3), kQuotient, a, a);
}

Symbolic asInteger(const Symbolic& a)
{
    if (!a.isReal)
        return a;
    Symbolic result = Symbolic::ofInteger(a.asInteger());
    const bool isWhole = a.base.starts_with("cdiv(") || a.base.find(" // ") != std::string::npos
        || (a.base.find('/') == std::string::npos && a.base.find('.') == std::string::npos);
    if (!isWhole || a.isConstant())
        return result;
    const Symbolic text = a;
    result = withText(result, text.base, text.strength, a, a);
    result.factor = a.factor;
    return result;
}

Symbolic asReal(const Symbolic& a)
{
    Symbolic result = a;
    result.real = a.asReal();
    result.isReal = true;
    return result;
}

Symbolic literal(std::string_view text)
{
    std::string digits;
    std::ranges::copy_if(text, std::back_inserter(digits), [](char c) { return c != '\''; });
    const bool isHex = digits.starts_with("0x") || digits.starts_with("0X"), isBinary = digits.starts_with("0b") || digits.starts_with("0B");
    const bool isReal = digits.find('.') != std::string::npos || (!isHex && digits.find_first_of("eE") != std::string::npos)
        || (isHex && digits.find_first_of("pP") != std::string::npos) || (!isHex && digits.find_first_of("fF") != std::string::npos);
    if (isReal)
        return Symbolic::ofReal(std::strtod(digits.c_str(), nullptr));
    const int base = isHex ? 16 : isBinary ? 2 : digits.size() > 1 && digits[0] == '0' ? 8 : 10;
    const std::size_t begin = isHex || isBinary ? 2 : 0;
    std::uint64_t value = 0;
    std::from_chars(digits.data() + std::min(begin, digits.size()), digits.data() + digits.size(), value, base);
    return Symbolic::ofInteger(wrapped(value));
}

} // namespace coalescope::kernels
