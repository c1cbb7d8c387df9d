// SPDX-License-Identifier: Apache-2.0
// Conversions. Source: PTX ISA, "Data Movement and Conversion Instructions": cvt, cvta, isspacep.
#include "analysis/execute/half.h"
#include "analysis/execute/lane_ops.h"

#include <algorithm>
#include <cfenv>
#include <cmath>

namespace coalescope::analysis {

namespace {

int bitsOf(Type type) { return bytesOf(type) * 8; }

bool isInteger(Type type) { return !isFloat(type) && type != Type::Pred && type != Type::B128; }

/// A word as the integer of a type, sign- or zero-extended to 64 bits.
Word extended(Word word, Type type)
{
    const int drop = 64 - bitsOf(type);
    return isSigned(type) ? Word(std::int64_t(word << drop) >> drop) : word << drop >> drop;
}

Word integerToInteger(const Instruction& i, Word a)
{
    const Word value = extended(a, i.sourceType);
    if (!i.mod.saturate)
        return extended(value, i.type);
    const Int128 exact = isSigned(i.sourceType) ? Int128(std::int64_t(value)) : Int128(value);
    const int bits = bitsOf(i.type);
    const Int128 low = isSigned(i.type) ? -(Int128(1) << (bits - 1)) : 0;
    const Int128 high = (Int128(1) << (isSigned(i.type) ? bits - 1 : bits)) - 1;
    return Word(exact < low ? low : exact > high ? high : exact);
}

double floatValue(Word a, Type type, bool flush)
{
    switch (type) {
    case Type::F16:
        return as<Half>(a);
    case Type::BF16:
        return as<BFloat>(a);
    case Type::F32:
        return flush ? flushed(as<float>(a)) : as<float>(a);
    default:
        return as<double>(a);
    }
}

double roundedToInteger(double value, Rounding rounding)
{
    switch (rounding) {
    case Rounding::IntNearest:
        return std::nearbyint(value);
    case Rounding::IntZero:
        return std::trunc(value);
    case Rounding::IntDown:
        return std::floor(value);
    case Rounding::IntUp:
        return std::ceil(value);
    default:
        return value;
    }
}

Word floatToInteger(const Instruction& i, Word a)
{
    const double value = floatValue(a, i.sourceType, i.mod.flushSubnormals);
    const int bits = bitsOf(i.type);
    if (std::isnan(value))
        return i.sourceType == Type::F64 || bits == 64 ? Word(1) << (bits - 1) : 0;
    const Rounding rounding = i.mod.rounding == Rounding::None ? Rounding::IntZero : i.mod.rounding;
    const double whole = roundedToInteger(value, rounding);
    if (bits <= 32) { // a double has them all
        const double limit = double(std::int64_t(1) << (isSigned(i.type) ? bits - 1 : bits));
        return Word(std::int64_t(std::clamp(whole, isSigned(i.type) ? -limit : 0, limit - 1)));
    }
    const Int128 low = isSigned(i.type) ? -(Int128(1) << (bits - 1)) : 0;
    const Int128 high = (Int128(1) << (isSigned(i.type) ? bits - 1 : bits)) - 1;
    if (whole >= std::ldexp(1.0, 100))
        return Word(high);
    if (whole <= -std::ldexp(1.0, 100))
        return Word(low);
    const auto exact = Int128(whole);
    return Word(exact < low ? low : exact > high ? high : exact);
}

RoundTo roundTo(Rounding rounding)
{
    switch (rounding) {
    case Rounding::Zero:
        return RoundTo::Zero;
    case Rounding::Down:
        return RoundTo::Down;
    case Rounding::Up:
        return RoundTo::Up;
    default:
        return RoundTo::Nearest;
    }
}

int hostMode(Rounding rounding)
{
    switch (rounding) {
    case Rounding::Zero:
        return FE_TOWARDZERO;
    case Rounding::Down:
        return FE_DOWNWARD;
    case Rounding::Up:
        return FE_UPWARD;
    default:
        return FE_TONEAREST;
    }
}

/// Converts under a rounding mode; the volatile source keeps the conversion where it is.
template <class To, class From> To convertedUnder(Rounding rounding, From value)
{
    const int mode = hostMode(rounding);
    if (mode == FE_TONEAREST)
        return To(value);
    const int before = std::fegetround();
    std::fesetround(mode);
    const volatile From source = value;
    const volatile To result = To(source);
    std::fesetround(before);
    return result;
}

SmallFormat formatOf(Type type)
{
    switch (type) {
    case Type::E4M3:
    case Type::E4M3x2:
        return kE4M3Format;
    case Type::E5M2:
    case Type::E5M2x2:
        return kE5M2Format;
    case Type::BF16:
    case Type::BF16x2:
        return kBFloatFormat;
    default:
        return kHalfFormat;
    }
}

/// To the small format that the result's type has, or is a pair of.
Word toFormat(const Instruction& i, double value)
{
    if (i.mod.relu && value <= 0)
        value = 0;
    return toSmall(value, formatOf(i.type), roundTo(i.mod.rounding),
        i.mod.finite ? Overflow::Finite : Overflow::Rounded);
}

template <class From> Word toFloatBits(const Instruction& i, From value)
{
    switch (i.type) {
    case Type::F64:
        return word(convertedUnder<double>(i.mod.rounding, value));
    case Type::F32: {
        float f = convertedUnder<float>(i.mod.rounding, value);
        if (i.mod.flushSubnormals)
            f = flushed(f);
        if (i.mod.saturate)
            f = f > 0 ? std::min(f, 1.0f) : 0.0f;
        return word(f);
    }
    default: {
        double exact = double(value); // 64-bit integers beyond the format overflow all the same
        if (i.mod.saturate)
            exact = exact > 0 ? std::min(exact, 1.0) : 0.0;
        return toFormat(i, exact);
    }
    }
}

Word integerToFloat(const Instruction& i, Word a)
{
    const Word value = extended(a, i.sourceType);
    if (i.type == Type::BF16 && bitsOf(i.sourceType) == 64) {
        // Rounded to odd in 62 bits first, so that the double is exact enough to round once more.
        const bool negative = isSigned(i.sourceType) && std::int64_t(value) < 0;
        const Word magnitude = negative ? 0 - value : value;
        const Word sticky = (magnitude & 0xffff) != 0 ? 0x10000 : 0;
        const double odd = double((magnitude & ~Word(0xffff)) | sticky);
        return toFloatBits(i,
            magnitude < (Word(1) << 53) ? (negative ? -double(magnitude) : double(magnitude))
                                        : (negative ? -odd : odd));
    }
    return isSigned(i.sourceType) ? toFloatBits(i, std::int64_t(value)) : toFloatBits(i, value);
}

Word floatToFloat(const Instruction& i, Word a)
{
    double value = floatValue(a, i.sourceType, i.mod.flushSubnormals);
    value = roundedToInteger(value, i.mod.rounding);
    if (i.type == Type::F32 && i.sourceType == Type::F32 && !i.mod.saturate && std::isnan(value))
        return Word(std::uint32_t(a));
    return toFloatBits(i, value);
}

template <Word (*F)(const Instruction&, Word)>
Step convert(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    return mapUnary(w, d, mask, [&i](Word a) { return F(i, a); });
}

/// Between integers, what is affine stays so: truncation always, extension where nothing wraps.
template <class From, class To> Step convertInteger(Warp& w, const Decoded& d, LaneMask mask)
{
    RegisterState state;
    if (!plainSources<1>(w, d)) [[unlikely]]
        state = sizeof(To) > sizeof(From)
            ? rules::widened(w, w.view(d.src[0]), mask, d.source->sourceType)
            : rules::truncated(w, w.state(d.src[0]), int(sizeof(To)) * 8);
    const Word* a = w.value(d.src[0]);
    writeLanes(w, d.dst[0], mask, [&](int l) { return Word(std::int64_t(To(From(a[l])))); });
    w.setState(d.dst[0], mask, state);
    return Step::Next;
}

template <class From> Handler integerTo(Type to)
{
    switch (to) {
    case Type::S8:
        return &convertInteger<From, std::int8_t>;
    case Type::S16:
        return &convertInteger<From, std::int16_t>;
    case Type::S32:
        return &convertInteger<From, std::int32_t>;
    case Type::S64:
        return &convertInteger<From, std::int64_t>;
    case Type::U8:
    case Type::B8:
        return &convertInteger<From, std::uint8_t>;
    case Type::U16:
    case Type::B16:
        return &convertInteger<From, std::uint16_t>;
    case Type::U32:
    case Type::B32:
        return &convertInteger<From, std::uint32_t>;
    case Type::U64:
    case Type::B64:
        return &convertInteger<From, std::uint64_t>;
    default:
        return nullptr;
    }
}
Handler integerFrom(Type from, Type to)
{
    switch (from) {
    case Type::S8:
        return integerTo<std::int8_t>(to);
    case Type::S16:
        return integerTo<std::int16_t>(to);
    case Type::S32:
        return integerTo<std::int32_t>(to);
    case Type::S64:
        return integerTo<std::int64_t>(to);
    case Type::U8:
    case Type::B8:
        return integerTo<std::uint8_t>(to);
    case Type::U16:
    case Type::B16:
        return integerTo<std::uint16_t>(to);
    case Type::U32:
    case Type::B32:
        return integerTo<std::uint32_t>(to);
    case Type::U64:
    case Type::B64:
        return integerTo<std::uint64_t>(to);
    default:
        return nullptr;
    }
}

/// The bits of one of the two floats of a pair.
int halfBitsOf(Type pair) { return bytesOf(pair) * 4; }

/// cvt.f16x2.f32 d, a, b: a to the upper half.
Step convertToPair(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    const int bits = halfBitsOf(i.type);
    const auto one = [&i](Word a) { return toFormat(i, double(floatValue(a, Type::F32, i.mod.flushSubnormals))); };
    return mapBinary(w, d, mask, [&](Word a, Word b) { return one(a) << bits | one(b); });
}

/// cvt.e4m3x2.f16x2 d, a and its way back.
Step convertPair(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    const int from = halfBitsOf(i.sourceType), to = halfBitsOf(i.type);
    const auto one = [&](Word a) {
        const Word bits = a & ((Word(1) << from) - 1);
        return toFormat(i, fromSmall(std::uint16_t(bits), formatOf(i.sourceType)));
    };
    return mapUnary(w, d, mask, [&](Word a) { return one(a >> from) << to | one(a); });
}

/// cvta and cvta.to: windows of the generic address space.
std::uint64_t windowBase(Space space)
{
    switch (space) {
    case Space::Shared:
        return kSharedWindowBase;
    case Space::Local:
        return kLocalWindowBase;
    case Space::Param:
        return kParamWindowBase;
    default:
        return 0;
    }
}
Step convertAddress(Warp& w, const Decoded& d, LaneMask mask)
{
    const Word base = windowBase(d.source->mod.space);
    const Word shift = d.source->mod.toSpace ? 0 - base : base;
    const RegisterState state = w.state(d.src[0]);
    const Word* a = w.value(d.src[0]);
    writeLanes(w, d.dst[0], mask, [&](int l) { return a[l] + shift; });
    w.setState(d.dst[0], mask, state);
    return Step::Next;
}

Step isInSpace(Warp& w, const Decoded& d, LaneMask mask)
{
    const Space space = d.source->mod.space;
    return mapUnary(w, d, mask, [space](Word a) {
        const Word window = a >> 40 << 40;
        const bool windowed = window == kSharedWindowBase || window == kLocalWindowBase
            || window == kConstantBase || window == kParamWindowBase;
        return Word(space == Space::Global ? !windowed
                : space == Space::Constant ? window == kConstantBase
                                           : window == windowBase(space));
    });
}

} // namespace

Handler selectCvt(const Instruction& i)
{
    if (isPair(i.type))
        return i.sourceType == Type::F32 ? &convertToPair : isPair(i.sourceType) ? &convertPair : nullptr;
    if (isPair(i.sourceType) || i.type == Type::Pred || i.sourceType == Type::Pred)
        return nullptr;
    if (isInteger(i.type) && isInteger(i.sourceType))
        return i.mod.saturate ? &convert<integerToInteger> : integerFrom(i.sourceType, i.type);
    if (isInteger(i.type))
        return isFloat(i.sourceType) ? &convert<floatToInteger> : nullptr;
    if (isInteger(i.sourceType))
        return &convert<integerToFloat>;
    return &convert<floatToFloat>;
}
Handler selectCvta(const Instruction&) { return &convertAddress; }
Handler selectIsSpacep(const Instruction&) { return &isInSpace; }

} // namespace coalescope::analysis
