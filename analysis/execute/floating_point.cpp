// SPDX-License-Identifier: Apache-2.0
// Floating point. Source: PTX ISA, "Floating-Point Instructions" and "Half Precision Floating-Point
// Instructions". The .approx functions use the host's libm: they are at least as accurate as the
// hardware's and differ from it in the last bits.
#include "analysis/execute/half.h"
#include "analysis/execute/lane_ops.h"

#include <cfenv>
#include <cmath>
#include <numbers>

namespace coalescope::analysis {

namespace {

template <class T> constexpr bool kSmall = sizeof(T) == 2;

/// Computes under a rounding mode of the host; volatile operands keep the compiler from doing it
/// before.
template <class F> auto underRounding(Rounding rounding, F&& f)
{
    const int mode = rounding == Rounding::Zero ? FE_TOWARDZERO
        : rounding == Rounding::Down            ? FE_DOWNWARD
        : rounding == Rounding::Up              ? FE_UPWARD
                                                : FE_TONEAREST;
    if (mode == FE_TONEAREST)
        return f();
    const int before = std::fegetround();
    std::fesetround(mode);
    const volatile auto result = f();
    std::fesetround(before);
    return decltype(f())(result);
}

template <class T> T conditioned(const Modifiers& mod, T value)
{
    if constexpr (!std::is_same_v<T, double>) {
        if (mod.flushSubnormals)
            value = flushed(value);
    }
    if (mod.saturate) {
        const double v = double(value);
        if (!(v > 0)) // not a number becomes 0
            return T(0.0);
        if (v > 1)
            return T(1.0);
    }
    return value;
}
template <class T> T input(const Modifiers& mod, Word bits)
{
    if constexpr (!std::is_same_v<T, double>) {
        if (mod.flushSubnormals)
            return flushed(as<T>(bits));
    }
    return as<T>(bits);
}

/// min and max of IEEE 754-2019 minimumNumber: a number beats NaN unless .NaN is given, and -0 is
/// below +0.
template <class T, bool Max> T extreme(T a, T b, bool nanResult)
{
    const double x = double(a), y = double(b);
    if (std::isnan(x))
        return nanResult || std::isnan(y) ? T(std::nan("")) : b;
    if (std::isnan(y))
        return nanResult ? b : a;
    if (x == y)
        return std::signbit(x) != Max ? a : b;
    return (x < y) != Max ? a : b;
}

template <class T> T arithmetic(Opcode op, T a, T b, bool nanResult)
{
    switch (op) {
    case Opcode::Add:
        if constexpr (kSmall<T>)
            return T(sumToOdd(a, b));
        else
            return a + b;
    case Opcode::Sub:
        if constexpr (kSmall<T>)
            return T(sumToOdd(a, -double(b)));
        else
            return a - b;
    case Opcode::Mul:
        if constexpr (kSmall<T>)
            return T(double(a) * double(b));
        else
            return a * b;
    case Opcode::Div:
        if constexpr (kSmall<T>)
            return T(double(a) / double(b));
        else
            return a / b;
    case Opcode::Min:
        return extreme<T, false>(a, b, nanResult);
    case Opcode::Max:
        return extreme<T, true>(a, b, nanResult);
    case Opcode::CopySign:
        if constexpr (kSmall<T>)
            return a;
        else
            return std::copysign(b, a);
    default:
        return a;
    }
}

template <class T> Word binaryBits(const Instruction& i, Word a, Word b)
{
    const T x = input<T>(i.mod, a), y = input<T>(i.mod, b);
    if constexpr (kSmall<T>)
        return word(conditioned(i.mod, arithmetic(i.op, x, y, i.mod.nanResult)));
    else
        return word(conditioned(i.mod, underRounding(i.mod.rounding, [&] {
            const volatile T vx = x, vy = y;
            return arithmetic<T>(i.op, vx, vy, i.mod.nanResult);
        })));
}

template <class T> struct Binary {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        const Instruction& i = *d.source;
        return mapBinary(w, d, mask, [&i](Word a, Word b) { return binaryBits<T>(i, a, b); });
    }
    /// Add, Sub and Mul of f32 and f64 without modifiers: the loops that matter.
    template <Opcode Op> static Step plain(Warp& w, const Decoded& d, LaneMask mask)
    {
        return mapBinary(w, d, mask, [](Word a, Word b) {
            const T x = as<T>(a), y = as<T>(b);
            return word(Op == Opcode::Add ? x + y : Op == Opcode::Sub ? x - y : x * y);
        });
    }
};
template <class T> Word packedBits(const Instruction& i, Word a, Word b)
{
    return binaryBits<T>(i, a, b) | binaryBits<T>(i, a >> 16, b >> 16) << 16;
}
template <class T> Step packedBinary(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    return mapBinary(w, d, mask, [&i](Word a, Word b) { return packedBits<T>(i, a, b); });
}

template <class T> T rectified(const Modifiers& mod, T value)
{
    return mod.relu && double(value) <= 0 ? T(0.0) : value;
}

template <class T> Word fusedBits(const Instruction& i, Word a, Word b, Word c)
{
    const T x = input<T>(i.mod, a), y = input<T>(i.mod, b), z = input<T>(i.mod, c);
    if constexpr (kSmall<T>)
        return word(conditioned(i.mod, rectified(i.mod, T(fusedToOdd(x, y, z)))));
    else
        return word(conditioned(i.mod, underRounding(i.mod.rounding, [&] {
            const volatile T vx = x, vy = y, vz = z;
            return T(std::fma(T(vx), T(vy), T(vz)));
        })));
}
template <class T> Step fused(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    return mapTernary(
        w, d, mask, [&i](Word a, Word b, Word c) { return fusedBits<T>(i, a, b, c); });
}
/// Those of f32 and f64, with the signs that the operands' `negated` gives them; Plain: without modifiers.
template <class T, bool Plain> Step fusedSigned(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    const auto sign = [&](int s) { return Word(i.src[std::size_t(s)].negated) << (sizeof(T) * 8 - 1); };
    return mapTernary(w, d, mask, [&i, x = sign(0), y = sign(1), z = sign(2)](Word a, Word b, Word c) {
        if constexpr (Plain)
            return word(std::fma(as<T>(a ^ x), as<T>(b ^ y), as<T>(c ^ z)));
        else
            return fusedBits<T>(i, a ^ x, b ^ y, c ^ z);
    });
}
template <class T> Step packedFused(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    return mapTernary(w, d, mask, [&i](Word a, Word b, Word c) {
        return fusedBits<T>(i, a, b, c) | fusedBits<T>(i, a >> 16, b >> 16, c >> 16) << 16;
    });
}

template <class T> T function(Opcode op, T value)
{
    switch (op) {
    case Opcode::Rcp:
        return T(1) / value;
    case Opcode::Sqrt:
        return std::sqrt(value);
    case Opcode::Rsqrt:
        return T(1 / std::sqrt(double(value)));
    case Opcode::Sin:
        return std::sin(value);
    case Opcode::Cos:
        return std::cos(value);
    case Opcode::Lg2:
        return std::log2(value);
    case Opcode::Ex2:
        return std::exp2(value);
    case Opcode::Tanh:
        return std::tanh(value);
    default:
        return value;
    }
}
template <class T> Word signBits(Opcode op, Word a)
{
    const Word sign = Word(1) << (sizeof(T) * 8 - 1), all = (sign << 1) - 1;
    return op == Opcode::Neg ? (a ^ sign) & all : a & ~sign & all;
}
template <class T> Word unaryBits(const Instruction& i, Word a)
{
    if (i.op == Opcode::Neg || i.op == Opcode::Abs)
        return signBits<T>(i.op, word(input<T>(i.mod, a)));
    const T x = input<T>(i.mod, a);
    if constexpr (kSmall<T>)
        return word(conditioned(i.mod, T(function(i.op, double(x)))));
    else
        return word(conditioned(i.mod, underRounding(i.mod.rounding, [&] {
            const volatile T vx = x;
            return function<T>(i.op, vx);
        })));
}
template <class T> Step unary(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    return mapUnary(w, d, mask, [&i](Word a) { return unaryBits<T>(i, a); });
}
template <class T> Step packedUnary(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    return mapUnary(w, d, mask, [&i](Word a) {
        return unaryBits<T>(i, a & 0xffff) | unaryBits<T>(i, a >> 16 & 0xffff) << 16;
    });
}

template <class T> Step testProperty(Warp& w, const Decoded& d, LaneMask mask)
{
    const Modifiers& mod = d.source->mod;
    return mapUnary(w, d, mask, [&mod](Word a) {
        const T x = as<T>(a);
        const int kind = std::fpclassify(x);
        return Word((mod.testFinite && std::isfinite(x))
            || (mod.testInfinite && kind == FP_INFINITE) || (mod.testNumber && kind != FP_NAN)
            || (mod.testNotANumber && kind == FP_NAN) || (mod.testNormal && (kind == FP_NORMAL || kind == FP_ZERO))
            || (mod.testSubnormal && kind == FP_SUBNORMAL));
    });
}

bool isUnmodified(const Modifiers& mod)
{
    return !mod.saturate && !mod.flushSubnormals
        && (mod.rounding == Rounding::None || mod.rounding == Rounding::Nearest);
}
template <class T> Handler plainBinary(const Instruction& i)
{
    if (isUnmodified(i.mod)) {
        switch (i.op) {
        case Opcode::Add:
            return &Binary<T>::template plain<Opcode::Add>;
        case Opcode::Sub:
            return &Binary<T>::template plain<Opcode::Sub>;
        case Opcode::Mul:
            return &Binary<T>::template plain<Opcode::Mul>;
        default:
            break;
        }
    }
    return &Binary<T>::run;
}
template <class T> Handler plainFused(const Instruction& i)
{
    return isUnmodified(i.mod) ? &fusedSigned<T, true> : &fusedSigned<T, false>;
}

} // namespace

Handler selectFloatBinary(const Instruction& i)
{
    switch (i.type) {
    case Type::F32:
        return plainBinary<float>(i);
    case Type::F64:
        return plainBinary<double>(i);
    case Type::F16:
        return i.op == Opcode::CopySign ? nullptr : &Binary<Half>::run;
    case Type::BF16:
        return i.op == Opcode::CopySign ? nullptr : &Binary<BFloat>::run;
    case Type::F16x2:
        return &packedBinary<Half>;
    case Type::BF16x2:
        return &packedBinary<BFloat>;
    default:
        return nullptr;
    }
}
Handler selectFma(const Instruction& i)
{
    switch (i.type) {
    case Type::F32:
        return plainFused<float>(i);
    case Type::F64:
        return plainFused<double>(i);
    case Type::F16:
        return &fused<Half>;
    case Type::BF16:
        return &fused<BFloat>;
    case Type::F16x2:
        return &packedFused<Half>;
    case Type::BF16x2:
        return &packedFused<BFloat>;
    default:
        return nullptr;
    }
}
Handler selectFloatUnary(const Instruction& i)
{
    switch (i.type) {
    case Type::F32:
        return &unary<float>;
    case Type::F64:
        return &unary<double>;
    case Type::F16:
        return &unary<Half>;
    case Type::BF16:
        return &unary<BFloat>;
    case Type::F16x2:
        return &packedUnary<Half>;
    case Type::BF16x2:
        return &packedUnary<BFloat>;
    default:
        return nullptr;
    }
}
Handler selectTestP(const Instruction& i)
{
    return i.type == Type::F32 ? &testProperty<float>
        : i.type == Type::F64  ? &testProperty<double>
                               : nullptr;
}

} // namespace coalescope::analysis
