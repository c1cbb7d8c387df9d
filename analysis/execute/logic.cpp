// SPDX-License-Identifier: Apache-2.0
// Logic and shifts. Source: PTX ISA, "Logic and Shift Instructions".
#include "analysis/execute/lane_ops.h"

#include <algorithm>

namespace coalescope::analysis {

namespace {

template <Opcode Op> Word combined(Word a, Word b)
{
    return Op == Opcode::And ? a & b : Op == Opcode::Or ? a | b : a ^ b;
}
template <Opcode Op> Step bitwise(Warp& w, const Decoded& d, LaneMask mask)
{
    RegisterState state;
    if (!plainSources<2>(w, d)) [[unlikely]]
        state = rules::bitwise(
            w, w.view(d.src[0]), w.view(d.src[1]), mask, Op, bytesOf(d.source->type) * 8);
    const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]);
    writeLanes(w, d.dst[0], mask, [&](int l) { return combined<Op>(a[l], b[l]); });
    w.setState(d.dst[0], mask, state);
    return stepOf(w);
}
/// Predicates may be negated where they are read.
template <Opcode Op> Step predicates(Warp& w, const Decoded& d, LaneMask mask)
{
    const Word flipA = d.src[0].negated, flipB = d.src[1].negated;
    return mapBinary(
        w, d, mask, [=](Word a, Word b) { return combined<Op>((a ^ flipA) & 1, (b ^ flipB) & 1); });
}
template <Opcode Op> Handler selectBitwise(const Instruction& i)
{
    return i.type == Type::Pred ? &predicates<Op> : &bitwise<Op>;
}

Step notPredicate(Warp& w, const Decoded& d, LaneMask mask)
{
    const Word flip = d.src[0].negated ? 0 : 1;
    return mapUnary(w, d, mask, [flip](Word a) { return (a ^ flip) & 1; });
}
Step notBits(Warp& w, const Decoded& d, LaneMask mask) // ~a = -1 - a
{
    RegisterState state;
    if (!plainSources<1>(w, d)) [[unlikely]]
        state = rules::sum(w, {}, w.state(d.src[0]), -1, bytesOf(d.source->type) * 8);
    const Word* a = w.value(d.src[0]);
    writeLanes(w, d.dst[0], mask, [&](int l) { return ~a[l]; });
    w.setState(d.dst[0], mask, state);
    return Step::Next;
}
template <class T> struct CNot {
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        return mapUnary(w, d, mask, [](Word a) { return Word(T(a) == 0); });
    }
};

Step lop3(Warp& w, const Decoded& d, LaneMask mask)
{
    const unsigned table = d.source->mod.lop3Table;
    return mapTernary(w, d, mask, [table](Word a, Word b, Word c) {
        Word out = 0;
        for (unsigned row = 0; row < 8; ++row) {
            const Word hit = (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
            out |= table >> row & 1 ? hit : 0;
        }
        return Word(std::uint32_t(out));
    });
}

/// Where the amount is a constant below the width, a shift is a multiplication or a division.
std::optional<Word> constantAmount(const Warp& w, const Decoded& d, LaneMask mask, Word bits)
{
    const auto amount = rules::constant(w.view(d.src[1]), mask, 32);
    return amount && *amount < bits ? amount : std::nullopt;
}

template <class T> struct Shl {
    static constexpr Word kBits = sizeof(T) * 8;
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        RegisterState state;
        if (!plainSources<2>(w, d)) [[unlikely]] {
            const auto amount = constantAmount(w, d, mask, kBits);
            state = amount
                ? rules::sum(w, {}, w.state(d.src[0]), std::int64_t(Word(1) << *amount), kBits)
                : rules::opaqueSources<2>(w, d);
        }
        const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]);
        writeLanes(w, d.dst[0], mask, [&](int l) {
            const Word by = std::uint32_t(b[l]);
            return by >= kBits ? 0 : Word(T(a[l] << by));
        });
        w.setState(d.dst[0], mask, state);
        return Step::Next;
    }
};
template <class T> struct Shr {
    static constexpr Word kBits = sizeof(T) * 8;
    static RegisterState affine(Warp& w, const Decoded& d, LaneMask mask)
    {
        const auto amount = constantAmount(w, d, mask, kBits);
        if (!amount || *amount >= 63)
            return rules::opaqueSources<2>(w, d);
        return rules::shiftedRight(w, w.view(d.src[0]), int(*amount), mask, d.source->type);
    }
    static Step run(Warp& w, const Decoded& d, LaneMask mask)
    {
        RegisterState state;
        if (!plainSources<2>(w, d)) [[unlikely]]
            state = affine(w, d, mask);
        const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]);
        writeLanes(w, d.dst[0], mask, [&](int l) {
            const Word by
                = std::min<Word>(std::uint32_t(b[l]), kBits - (std::is_signed_v<T> ? 1 : 0));
            return by >= kBits ? 0 : word(T(as<T>(a[l]) >> by));
        });
        w.setState(d.dst[0], mask, state);
        return stepOf(w);
    }
};

Step shf(Warp& w, const Decoded& d, LaneMask mask)
{
    const ShfMode mode = d.source->mod.shf;
    const bool wrap = mode == ShfMode::LeftWrap || mode == ShfMode::RightWrap;
    const bool left = mode == ShfMode::LeftClamp || mode == ShfMode::LeftWrap;
    return mapTernary(w, d, mask, [=](Word a, Word b, Word c) {
        const Word by = wrap ? c & 31 : std::min<Word>(std::uint32_t(c), 32);
        const Word both = (b << 32) | std::uint32_t(a);
        return Word(std::uint32_t(left ? (by == 0 ? both >> 32 : both >> (32 - by)) : both >> by));
    });
}

} // namespace

Handler selectAnd(const Instruction& i) { return selectBitwise<Opcode::And>(i); }
Handler selectOr(const Instruction& i) { return selectBitwise<Opcode::Or>(i); }
Handler selectXor(const Instruction& i) { return selectBitwise<Opcode::Xor>(i); }
Handler selectNot(const Instruction& i) { return i.type == Type::Pred ? &notPredicate : &notBits; }
Handler selectCNot(const Instruction& i) { return byBits<CNot>(i.type); }
Handler selectLop3(const Instruction&) { return &lop3; }
Handler selectShl(const Instruction& i) { return byBits<Shl>(i.type); }
Handler selectShr(const Instruction& i)
{
    return isSigned(i.type) ? byInteger<Shr>(i.type) : byBits<Shr>(i.type);
}
Handler selectShf(const Instruction&) { return &shf; }

} // namespace coalescope::analysis
