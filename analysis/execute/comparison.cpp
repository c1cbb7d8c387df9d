// SPDX-License-Identifier: Apache-2.0
// Comparison and selection. Source: PTX ISA, "Comparison and Selection Instructions".
#include "analysis/execute/half.h"
#include "analysis/execute/lane_ops.h"

#include <cmath>

namespace coalescope::analysis {

namespace {

/// Ordered comparisons are false, unordered ones true where a side is not a number.
template <class T> bool holds(Compare compare, T a, T b)
{
    const bool unordered = a != a || b != b;
    switch (compare) {
    case Compare::Eq:
        return a == b;
    case Compare::Ne:
        return !unordered && a != b;
    case Compare::Lt:
    case Compare::Lo:
        return a < b;
    case Compare::Le:
    case Compare::Ls:
        return a <= b;
    case Compare::Gt:
    case Compare::Hi:
        return a > b;
    case Compare::Ge:
    case Compare::Hs:
        return a >= b;
    case Compare::Equ:
        return unordered || a == b;
    case Compare::Neu:
        return unordered || a != b;
    case Compare::Ltu:
        return unordered || a < b;
    case Compare::Leu:
        return unordered || a <= b;
    case Compare::Gtu:
        return unordered || a > b;
    case Compare::Geu:
        return unordered || a >= b;
    case Compare::Num:
        return !unordered;
    case Compare::Nan:
        return unordered;
    }
    return false;
}

template <class T> LaneMask compared(const Warp& w, const Decoded& d)
{
    const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]);
    const Compare compare = d.source->mod.compare;
    const auto all = [&](auto&& test) {
        LaneMask out = 0;
        for (int l = 0; l < kWarpLanes; ++l)
            out |= LaneMask(test(as<T>(a[l]), as<T>(b[l]))) << l;
        return out;
    };
    if constexpr (std::is_same_v<T, float>) {
        if (d.source->mod.flushSubnormals)
            return all([compare](T x, T y) { return holds(compare, flushed(x), flushed(y)); });
    }
    switch (compare) { // the usual ones without a choice a lane
    case Compare::Lt:
    case Compare::Lo:
        return all([](T x, T y) { return x < y; });
    case Compare::Le:
    case Compare::Ls:
        return all([](T x, T y) { return x <= y; });
    case Compare::Gt:
    case Compare::Hi:
        return all([](T x, T y) { return x > y; });
    case Compare::Ge:
    case Compare::Hs:
        return all([](T x, T y) { return x >= y; });
    default:
        return all([compare](T x, T y) { return holds(compare, x, y); });
    }
}

/// lo, ls, hi and hs compare without sign, whatever the type.
Type comparedType(const Instruction& i, Type type)
{
    const Compare c = i.mod.compare;
    return c == Compare::Lo || c == Compare::Ls || c == Compare::Hi || c == Compare::Hs
        ? (bytesOf(type) == 8        ? Type::U64
                : bytesOf(type) == 4 ? Type::U32
                                     : Type::U16)
        : type;
}

LaneMask outcomeOf(const Warp& w, const Decoded& d, Type type)
{
    switch (comparedType(*d.source, type)) {
    case Type::S16:
        return compared<std::int16_t>(w, d);
    case Type::S32:
        return compared<std::int32_t>(w, d);
    case Type::S64:
        return compared<std::int64_t>(w, d);
    case Type::U16:
    case Type::B16:
        return compared<std::uint16_t>(w, d);
    case Type::U32:
    case Type::B32:
        return compared<std::uint32_t>(w, d);
    case Type::U64:
    case Type::B64:
        return compared<std::uint64_t>(w, d);
    case Type::F32:
        return compared<float>(w, d);
    case Type::F64:
        return compared<double>(w, d);
    case Type::F16:
        return compared<Half>(w, d);
    case Type::BF16:
        return compared<BFloat>(w, d);
    default:
        return 0;
    }
}

bool isComparable(Type type)
{
    return type != Type::Pred && bytesOf(type) >= 2 && bytesOf(type) <= 8 && !isPair(type);
}

RegisterState outcomeState(Warp& w, const Decoded& d, LaneMask mask, Type type)
{
    RegisterState state;
    if (!plainSources<2>(w, d)) [[unlikely]]
        state = isFloat(type) ? rules::opaqueSources<2>(w, d)
                              : rules::comparison(w, w.view(d.src[0]), w.view(d.src[1]), mask,
                                  comparedType(*d.source, type), d.source->mod.compare);
    if (d.source->mod.combine != BoolOp::None && !w.state(d.src[2]).isPlain()) {
        const RegisterState both[] = { state, w.state(d.src[2]) };
        state = rules::opaque(w, both);
    }
    return state;
}

bool combined(BoolOp op, bool outcome, bool with)
{
    return op == BoolOp::And ? outcome && with
        : op == BoolOp::Or   ? outcome || with
        : op == BoolOp::Xor  ? outcome != with
                             : outcome;
}

Step setp(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    const RegisterState state = outcomeState(w, d, mask, i.type);
    const LaneMask outcome = outcomeOf(w, d, i.type);
    if (i.mod.combine == BoolOp::None && i.dst[1].kind != OperandKind::Register) {
        writeLanes(w, d.dst[0], mask, [&](int l) { return Word(outcome >> l & 1); });
    } else {
        std::array<Word, kWarpLanes> with; // dst[0] may be the predicate combined with
        for (int l = 0; l < kWarpLanes; ++l)
            with[std::size_t(l)] = (w.value(d.src[2])[l] & 1) ^ Word(d.src[2].negated);
        writeLanes(w, d.dst[0], mask, [&](int l) {
            return Word(combined(i.mod.combine, outcome >> l & 1, with[std::size_t(l)] != 0));
        });
        if (i.dst[1].kind == OperandKind::Register) {
            writeLanes(w, d.dst[1], mask, [&](int l) {
                return Word(
                    combined(i.mod.combine, !(outcome >> l & 1), with[std::size_t(l)] != 0));
            });
            w.setState(d.dst[1], mask, state);
        }
    }
    w.setState(d.dst[0], mask, state);
    return stepOf(w);
}

Step set(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    const RegisterState state = outcomeState(w, d, mask, i.sourceType);
    const LaneMask outcome = outcomeOf(w, d, i.sourceType);
    const Word yes = i.type == Type::F32 ? word(1.0f)
        : i.type == Type::F16            ? word(Half(1.0))
        : i.type == Type::BF16           ? word(BFloat(1.0))
                                         : Word(0xffffffffu);
    const Word flip = d.src[2].negated;
    const Word* with = w.value(d.src[2]);
    writeLanes(w, d.dst[0], mask, [&](int l) {
        return combined(i.mod.combine, outcome >> l & 1, ((with[l] ^ flip) & 1) != 0) ? yes : 0;
    });
    w.setState(d.dst[0], mask, state);
    return stepOf(w);
}

/// Comparisons of pairs: each half for itself.
template <class T> bool halfHolds(const Modifiers& mod, Word a, Word b, int half)
{
    const T x = as<T>(a >> (16 * half)), y = as<T>(b >> (16 * half));
    return mod.flushSubnormals ? holds(mod.compare, flushed(x), flushed(y))
                               : holds(mod.compare, x, y);
}
template <class T> Step setPair(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    const Word yes = i.type == Type::F16x2 ? word(Half(1.0))
        : i.type == Type::BF16x2           ? word(BFloat(1.0))
                                           : Word(0xffff);
    return mapBinary(w, d, mask, [&](Word a, Word b) {
        return (halfHolds<T>(i.mod, a, b, 0) ? yes : 0)
            | (halfHolds<T>(i.mod, a, b, 1) ? yes : 0) << 16;
    });
}
/// The first predicate is the lower half's, the second the upper half's.
template <class T> Step setpPair(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    const RegisterState state = rules::opaqueSources<2>(w, d);
    const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]);
    for (int half = 0; half < 2; ++half) {
        const OperandSlot slot = d.dst[std::size_t(half)];
        writeLanes(
            w, slot, mask, [&](int l) { return Word(halfHolds<T>(i.mod, a[l], b[l], half)); });
        w.setState(slot, mask, state);
    }
    return Step::Next;
}

Step selp(Warp& w, const Decoded& d, LaneMask mask)
{
    const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]), *p = w.value(d.src[2]);
    const Word flip = d.src[2].negated;
    RegisterState state;
    if (!plainSources<3>(w, d)) [[unlikely]] {
        LaneMask second = 0;
        for (int l = 0; l < kWarpLanes; ++l)
            second |= LaneMask(((p[l] ^ flip) & 1) == 0) << l;
        const RegisterState& predicate = w.state(d.src[2]);
        state = rules::choice(w, w.state(d.src[0]), w.state(d.src[1]), second, mask);
        state.unknown |= predicate.unknown;
        state.nonlinear = (state.nonlinear | predicate.nonlinear) & ~state.unknown;
        state.axes |= predicate.axes;
    }
    writeLanes(w, d.dst[0], mask, [&](int l) { return ((p[l] ^ flip) & 1) != 0 ? a[l] : b[l]; });
    w.setState(d.dst[0], mask, state);
    return Step::Next;
}

Step slct(Warp& w, const Decoded& d, LaneMask mask)
{
    if (d.source->sourceType == Type::F32) {
        const bool flush = d.source->mod.flushSubnormals;
        return mapTernary(w, d, mask, [flush](Word a, Word b, Word c) {
            const float x = flush ? flushed(as<float>(c)) : as<float>(c);
            return x >= 0 ? a : b;
        });
    }
    return mapTernary(
        w, d, mask, [](Word a, Word b, Word c) { return std::int32_t(c) >= 0 ? a : b; });
}

} // namespace

Handler selectSet(const Instruction& i)
{
    const bool alone = i.mod.combine == BoolOp::None;
    switch (i.sourceType) {
    case Type::F16x2:
        return alone && bytesOf(i.type) == 4 && i.type != Type::F32 ? &setPair<Half> : nullptr;
    case Type::BF16x2:
        return alone && bytesOf(i.type) == 4 && i.type != Type::F32 ? &setPair<BFloat> : nullptr;
    default:
        return isComparable(i.sourceType) ? &set : nullptr;
    }
}
Handler selectSetp(const Instruction& i)
{
    const bool alone = i.mod.combine == BoolOp::None;
    switch (i.type) {
    case Type::F16x2:
        return alone ? &setpPair<Half> : nullptr;
    case Type::BF16x2:
        return alone ? &setpPair<BFloat> : nullptr;
    default:
        return isComparable(i.type) ? &setp : nullptr;
    }
}
Handler selectSelp(const Instruction&) { return &selp; }
Handler selectSlct(const Instruction& i)
{
    return i.sourceType == Type::F32 || i.sourceType == Type::S32 ? &slct : nullptr;
}

} // namespace coalescope::analysis
