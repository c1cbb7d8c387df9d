// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic. Source: PTX ISA, "Integer Arithmetic Instructions" and "Extended-Precision
// Integer Arithmetic Instructions".
#include "analysis/execute/lane_ops.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace coalescope::analysis {

namespace {

template <class T> using Unsigned = std::make_unsigned_t<T>;
template <class T> constexpr int kBits = int(sizeof(T)) * 8;
template <class T>
using Wider = std::conditional_t<sizeof(T) == 2,
    std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
    std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

template <class T> T saturated(Int128 value)
{
    if (value < std::numeric_limits<T>::min())
        return std::numeric_limits<T>::min();
    return value > std::numeric_limits<T>::max() ? std::numeric_limits<T>::max() : T(value);
}

template <class T> struct Add {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        RegisterState state;
        if (!plainSources<2>(w, d)) [[unlikely]] {
            state = rules::sum(w, w.state(d.src[0]), w.state(d.src[1]), 1, kBits<T>);
            if (sizeof(T) == 4 && (w.state(d.src[0]).quotient | w.state(d.src[1]).quotient) != 0)
                state.quotient
                    = rules::addedToQuotient(w, w.view(d.src[0]), w.view(d.src[1]), mask);
        }
        const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]);
        writeLanes(w, d.dst[0], mask, [&](int l) { return Word(Unsigned<T>(a[l] + b[l])); });
        w.setState(d.dst[0], mask, state);
        return Step::Next;
    }
};
template <class T> struct Sub {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        RegisterState state;
        if (!plainSources<2>(w, d)) [[unlikely]]
            state = rules::sum(w, w.state(d.src[0]), w.state(d.src[1]), -1, kBits<T>);
        const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]);
        writeLanes(w, d.dst[0], mask, [&](int l) { return Word(Unsigned<T>(a[l] - b[l])); });
        w.setState(d.dst[0], mask, state);
        return Step::Next;
    }
};
template <bool Subtract> Step saturating(Warp& w, const Decoded& d, LaneMask mask)
{
    return mapBinary(w, d, mask, [](Word a, Word b) {
        const Int128 x = as<std::int32_t>(a), y = as<std::int32_t>(b);
        return word(saturated<std::int32_t>(Subtract ? x - y : x + y));
    });
}

/// add.cc, addc, sub.cc, subc: the condition code is a lane's own bit.
template <bool Subtract, bool UsesCarry> struct Carry {
    template <class T> struct Op {
        static Step run(Warp& w, const Decoded& d, LaneMask mask)
        {
            const RegisterState state = rules::opaqueSources<2>(w, d);
            const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]);
            Word* out = w.target(d.dst[0]);
            for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
                const int l = std::countr_zero(rest);
                const unsigned in = UsesCarry && w.carry[l] ? 1 : 0;
                const Int128 x = Unsigned<T>(a[l]), y = Unsigned<T>(b[l]);
                const Int128 sum = Subtract ? x - y - in : x + y + in;
                out[l] = Word(Unsigned<T>(sum));
                if (d.source->mod.carryOut)
                    w.carry[l] = (sum >> kBits<T> & 1) != 0;
            }
            w.setState(d.dst[0], mask, state);
            return Step::Next;
        }
    };
};
template <class T> using AddCc = Carry<false, false>::Op<T>;
template <class T> using AddC = Carry<false, true>::Op<T>;
template <class T> using SubCc = Carry<true, false>::Op<T>;
template <class T> using SubC = Carry<true, true>::Op<T>;

template <class T> Word highProduct(Word a, Word b)
{
    if constexpr (sizeof(T) == 8 && !std::is_signed_v<T>) {
        __extension__ using Wide = unsigned __int128;
        return Word((Wide(a) * b) >> 64);
    } else {
        return Word(Unsigned<T>((Int128(as<T>(a)) * as<T>(b)) >> kBits<T>));
    }
}
template <class T, MulPart Part> Word productOf(Word a, Word b)
{
    if constexpr (Part == MulPart::Lo)
        return Word(Unsigned<T>(a * b));
    else if constexpr (Part == MulPart::Hi)
        return highProduct<T>(a, b);
    else
        return word(Wider<T>(Wider<T>(as<T>(a)) * Wider<T>(as<T>(b))));
}

template <MulPart Part> struct Multiply {
    template <class T> static constexpr Type typeOf(const Decoded& d) { return d.source->type; }
    template <class T> struct Mul {
        static Step run(Warp& w, const Decoded& d, LaneMask mask)
        {
            RegisterState state;
            if (!plainSources<2>(w, d)) [[unlikely]]
                state = rules::product(
                    w, w.view(d.src[0]), w.view(d.src[1]), mask, d.source->type, Part);
            const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]);
            writeLanes(w, d.dst[0], mask, [&](int l) { return productOf<T, Part>(a[l], b[l]); });
            w.setState(d.dst[0], mask, state);
            return Step::Next;
        }
    };
    template <class T> struct Mad {
        static constexpr int kResultBits = Part == MulPart::Wide ? 2 * kBits<T> : kBits<T>;
        static Step run(Warp& w, const Decoded& d, LaneMask mask)
        {
            RegisterState state;
            if (!plainSources<3>(w, d)) [[unlikely]]
                state = rules::sum(w,
                    rules::product(
                        w, w.view(d.src[0]), w.view(d.src[1]), mask, d.source->type, Part),
                    w.state(d.src[2]), 1, kResultBits);
            const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]), *c = w.value(d.src[2]);
            writeLanes(w, d.dst[0], mask, [&](int l) {
                const Word sum = productOf<T, Part>(a[l], b[l]) + c[l];
                return kResultBits == 64 ? sum : sum & ((Word(1) << (kResultBits % 64)) - 1);
            });
            w.setState(d.dst[0], mask, state);
            return Step::Next;
        }
    };
};
template <class T> using MulLo = Multiply<MulPart::Lo>::Mul<T>;
template <class T> using MulHi = Multiply<MulPart::Hi>::Mul<T>;
template <class T> using MulWide = Multiply<MulPart::Wide>::Mul<T>;
template <class T> using MadLo = Multiply<MulPart::Lo>::Mad<T>;
template <class T> using MadHi = Multiply<MulPart::Hi>::Mad<T>;
template <class T> using MadWide = Multiply<MulPart::Wide>::Mad<T>;

template <bool UsesCarry> struct MadCarry {
    template <class T> struct Op {
        static Step run(Warp& w, const Decoded& d, LaneMask mask)
        {
            const RegisterState state = rules::opaqueSources<3>(w, d);
            const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]), *c = w.value(d.src[2]);
            Word* out = w.target(d.dst[0]);
            const bool high = d.source->mod.part == MulPart::Hi;
            for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
                const int l = std::countr_zero(rest);
                const Word product
                    = high ? highProduct<T>(a[l], b[l]) : Word(Unsigned<T>(a[l] * b[l]));
                const Int128 sum = Int128(Unsigned<T>(product)) + Unsigned<T>(c[l])
                    + (UsesCarry && w.carry[l] ? 1 : 0);
                out[l] = Word(Unsigned<T>(sum));
                if (d.source->mod.carryOut)
                    w.carry[l] = (sum >> kBits<T> & 1) != 0;
            }
            w.setState(d.dst[0], mask, state);
            return Step::Next;
        }
    };
};
template <class T> using MadCc = MadCarry<false>::Op<T>;
template <class T> using MadC = MadCarry<true>::Op<T>;

Step madHiSaturating(Warp& w, const Decoded& d, LaneMask mask)
{
    return mapTernary(w, d, mask, [](Word a, Word b, Word c) {
        const auto high = std::int32_t(highProduct<std::int32_t>(a, b));
        return word(saturated<std::int32_t>(Int128(high) + as<std::int32_t>(c)));
    });
}

template <class T> Word product24(Word a, Word b, bool high)
{
    constexpr int kDrop = 8;
    const auto low24 = [](Word x) { return std::int64_t(T(Unsigned<T>(x) << kDrop)) >> kDrop; };
    const auto product = low24(a) * low24(b);
    return Word(Unsigned<T>(high ? product >> 16 : product));
}
template <class T> struct Mul24 {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        const bool high = d.source->mod.part == MulPart::Hi;
        return mapBinary(w, d, mask, [high](Word a, Word b) { return product24<T>(a, b, high); });
    }
};
template <class T> struct Mad24 {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        const bool high = d.source->mod.part == MulPart::Hi, saturate = d.source->mod.saturate;
        return mapTernary(w, d, mask, [=](Word a, Word b, Word c) {
            const Word product = product24<T>(a, b, high);
            return saturate ? word(saturated<T>(Int128(as<T>(product)) + as<T>(c)))
                            : Word(Unsigned<T>(product + c));
        });
    }
};

template <class T> struct Sad {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        return mapTernary(w, d, mask, [](Word a, Word b, Word c) {
            const T x = as<T>(a), y = as<T>(b);
            return Word(Unsigned<T>(Unsigned<T>(c)
                + (x < y ? Unsigned<T>(y) - Unsigned<T>(x) : Unsigned<T>(x) - Unsigned<T>(y))));
        });
    }
};

/// Division by zero gives all ones; PTX leaves it open.
template <class T> Word quotientOf(Word a, Word b)
{
    const T x = as<T>(a), y = as<T>(b);
    if (y == 0)
        return Word(Unsigned<T>(-1));
    if (std::is_signed_v<T> && y == T(-1)) // the smallest value has no positive counterpart
        return Word(Unsigned<T>(0 - Unsigned<T>(x)));
    return Word(Unsigned<T>(x / y));
}
template <class T> struct Div {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        RegisterState state;
        if (!plainSources<2>(w, d)) [[unlikely]]
            state = rules::division(w, w.view(d.src[0]), w.view(d.src[1]), mask, d.source->type)
                        .quotient;
        const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]);
        writeLanes(w, d.dst[0], mask, [&](int l) { return quotientOf<T>(a[l], b[l]); });
        w.setState(d.dst[0], mask, state);
        return stepOf(w);
    }
};
template <class T> struct Rem {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        RegisterState state;
        if (!plainSources<2>(w, d)) [[unlikely]]
            state = rules::division(w, w.view(d.src[0]), w.view(d.src[1]), mask, d.source->type)
                        .remainder;
        const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]);
        writeLanes(w, d.dst[0], mask, [&](int l) {
            return Unsigned<T>(b[l]) == 0
                ? Word(Unsigned<T>(a[l]))
                : Word(Unsigned<T>(a[l] - quotientOf<T>(a[l], b[l]) * b[l]));
        });
        w.setState(d.dst[0], mask, state);
        return stepOf(w);
    }
};

constexpr RegisterState kZeroState {};

template <class T> struct Neg {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        RegisterState state;
        if (!plainSources<1>(w, d)) [[unlikely]]
            state = rules::sum(w, kZeroState, w.state(d.src[0]), -1, kBits<T>);
        const Word* a = w.value(d.src[0]);
        writeLanes(w, d.dst[0], mask, [&](int l) { return Word(Unsigned<T>(0 - a[l])); });
        w.setState(d.dst[0], mask, state);
        return Step::Next;
    }
};

/// The state of `second` where that is taken, else of `first`; what is compared to tell may be unknown, or ask for a split.
RegisterState stateOfEither(Warp& w, const RegisterState& outcome, const RegisterState& first, const RegisterState& second, LaneMask takesSecond, LaneMask mask)
{
    RegisterState state = rules::choice(w, first, second, takesSecond, mask);
    state.unknown |= outcome.unknown;
    state.nonlinear = (state.nonlinear | outcome.nonlinear) & ~state.unknown;
    state.axes |= outcome.axes;
    return state;
}

template <class T> struct Abs {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        static constexpr LaneWords kZeros {};
        RegisterState state;
        const Word* a = w.value(d.src[0]);
        if (!plainSources<1>(w, d)) [[unlikely]] {
            const RegisterState own = w.state(d.src[0]), negated = rules::sum(w, kZeroState, own, -1, kBits<T>);
            const RegisterState outcome = rules::comparison(w, w.view(d.src[0]), { kZeros.lane.data(), {} }, mask, d.source->type, Compare::Ge);
            LaneMask negative = 0;
            for (int l = 0; l < kWarpLanes; ++l)
                negative |= LaneMask(as<T>(a[l]) < 0) << l;
            state = stateOfEither(w, outcome, own, negated, negative, mask);
        }
        writeLanes(w, d.dst[0], mask, [&](int l) { return Word(as<T>(a[l]) < 0 ? Unsigned<T>(0 - a[l]) : Unsigned<T>(a[l])); });
        w.setState(d.dst[0], mask, state);
        return stepOf(w);
    }
};

template <bool Max> struct Extreme {
    template <class T> struct Op {
        static bool takesB(T a, T b) { return Max ? b > a : b < a; }
        static Step run(Warp& w, const Decoded& d, LaneMask mask)
        {
            RegisterState state;
            const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]);
            if (!plainSources<2>(w, d)) [[unlikely]] {
                const RegisterState outcome = rules::comparison(w, w.view(d.src[0]),
                    w.view(d.src[1]), mask, d.source->type, Max ? Compare::Ge : Compare::Le);
                LaneMask second = 0;
                for (int l = 0; l < kWarpLanes; ++l)
                    second |= LaneMask(takesB(as<T>(a[l]), as<T>(b[l]))) << l;
                state = stateOfEither(w, outcome, w.state(d.src[0]), w.state(d.src[1]), second, mask);
            }
            writeLanes(w, d.dst[0], mask, [&](int l) {
                return Word(Unsigned<T>(takesB(as<T>(a[l]), as<T>(b[l])) ? b[l] : a[l]));
            });
            w.setState(d.dst[0], mask, state);
            return stepOf(w);
        }
    };
};
template <class T> using Min = Extreme<false>::Op<T>;
template <class T> using Max = Extreme<true>::Op<T>;

template <class T> T computed(const Instruction& i, T a, T b)
{
    const T result = i.op == Opcode::Add ? T(a + b) : i.op == Opcode::Min ? std::min(a, b) : std::max(a, b);
    return i.mod.relu ? std::max(result, T(0)) : result;
}

/// add, min and max of .u16x2 and .s16x2.
template <class T> Step ofHalves(Warp& w, const Decoded& d, LaneMask mask)
{
    return mapBinary(w, d, mask, [&i = *d.source](Word a, Word b) {
        const auto half = [&](int at) { return Word(Unsigned<T>(computed(i, T(a >> at), T(b >> at)))) << at; };
        return half(0) | half(16);
    });
}

/// min and max with .relu.
Step relu(Warp& w, const Decoded& d, LaneMask mask)
{
    return mapBinary(w, d, mask, [&i = *d.source](Word a, Word b) { return Word(std::uint32_t(computed(i, std::int32_t(a), std::int32_t(b)))); });
}

bool isOfHalves(const Instruction& i) { return i.type == Type::U16x2 || i.type == Type::S16x2; }

Handler selectOfHalves(const Instruction& i)
{
    return i.type == Type::S16x2 ? &ofHalves<std::int16_t> : i.mod.relu ? nullptr : &ofHalves<std::uint16_t>;
}

template <template <class> class Op> Handler selectExtreme(const Instruction& i)
{
    if (isOfHalves(i))
        return selectOfHalves(i);
    if (i.mod.relu)
        return i.type == Type::S32 ? &relu : nullptr;
    return byInteger<Op>(i.type);
}

} // namespace

Handler selectAdd(const Instruction& i)
{
    if (isFloat(i.type))
        return selectFloatBinary(i);
    if (isOfHalves(i))
        return selectOfHalves(i);
    if (i.mod.saturate)
        return i.type == Type::S32 ? &saturating<false> : nullptr;
    return i.mod.carryOut ? byInteger<AddCc>(i.type) : byInteger<Add>(i.type);
}
Handler selectSub(const Instruction& i)
{
    if (isFloat(i.type))
        return selectFloatBinary(i);
    if (i.mod.saturate)
        return i.type == Type::S32 ? &saturating<true> : nullptr;
    return i.mod.carryOut ? byInteger<SubCc>(i.type) : byInteger<Sub>(i.type);
}
Handler selectAddCarry(const Instruction& i) { return byInteger<AddC>(i.type); }
Handler selectSubCarry(const Instruction& i) { return byInteger<SubC>(i.type); }
Handler selectMul(const Instruction& i)
{
    if (isFloat(i.type))
        return selectFloatBinary(i);
    switch (i.mod.part) {
    case MulPart::Hi:
        return byInteger<MulHi>(i.type);
    case MulPart::Wide:
        return bytesOf(i.type) == 8 ? nullptr : byInteger<MulWide>(i.type);
    default:
        return byInteger<MulLo>(i.type);
    }
}
Handler selectMad(const Instruction& i)
{
    if (isFloat(i.type))
        return selectFma(i);
    if (i.mod.carryOut)
        return byInteger<MadCc>(i.type);
    if (i.mod.saturate)
        return i.mod.part == MulPart::Hi && i.type == Type::S32 ? &madHiSaturating : nullptr;
    switch (i.mod.part) {
    case MulPart::Hi:
        return byInteger<MadHi>(i.type);
    case MulPart::Wide:
        return bytesOf(i.type) == 8 ? nullptr : byInteger<MadWide>(i.type);
    default:
        return byInteger<MadLo>(i.type);
    }
}
Handler selectMadCarry(const Instruction& i) { return byInteger<MadC>(i.type); }
Handler selectMul24(const Instruction& i)
{
    return i.type == Type::S32 ? &Mul24<std::int32_t>::run
        : i.type == Type::U32  ? &Mul24<std::uint32_t>::run
                               : nullptr;
}
Handler selectMad24(const Instruction& i)
{
    return i.type == Type::S32 ? &Mad24<std::int32_t>::run
        : i.type == Type::U32  ? &Mad24<std::uint32_t>::run
                               : nullptr;
}
Handler selectSad(const Instruction& i) { return byInteger<Sad>(i.type); }
Handler selectDiv(const Instruction& i)
{
    return isFloat(i.type) ? selectFloatBinary(i) : byInteger<Div>(i.type);
}
Handler selectRem(const Instruction& i) { return byInteger<Rem>(i.type); }
Handler selectAbs(const Instruction& i)
{
    return isFloat(i.type) ? selectFloatUnary(i) : byInteger<Abs>(i.type);
}
Handler selectNeg(const Instruction& i)
{
    return isFloat(i.type) ? selectFloatUnary(i) : byInteger<Neg>(i.type);
}
Handler selectMin(const Instruction& i)
{
    return isFloat(i.type) ? selectFloatBinary(i) : selectExtreme<Min>(i);
}
Handler selectMax(const Instruction& i)
{
    return isFloat(i.type) ? selectFloatBinary(i) : selectExtreme<Max>(i);
}

} // namespace coalescope::analysis
