// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/warp.h"

namespace coalescope::analysis {

/// How the result of an operation depends on the block, given how its sources do. The words of a
/// register are those of the box's first block, computed as for a single block; the rules here say
/// what may be concluded for the other blocks, and nothing where in doubt.
namespace rules {

/// `length` bits from bit `position` up, of an instruction that moves them.
struct BitField {
    int position = 0, length = 0;
    [[nodiscard]] bool reachesTop(int bits) const { return position + length >= bits; }
    [[nodiscard]] Word low() const { return length >= 64 ? ~Word(0) : (Word(1) << length) - 1; }
};

/// No lane can be described by coefficients any more.
[[nodiscard]] RegisterState lost(Warp& w, LaneMask unknown, unsigned axes);
/// The coefficients `id` for all lanes but those named; lost where the pool is full.
[[nodiscard]] RegisterState withCoefficients(
    Warp& w, LaneMask unknown, LaneMask nonlinear, unsigned axes, std::optional<CoefficientId> id);

/// Any function of the sources: not affine unless every source is the same for all blocks.
[[nodiscard]] RegisterState opaque(const Warp& w, std::span<const RegisterState> sources);
template <int N> [[nodiscard]] RegisterState opaqueSources(const Warp& w, const Decoded& d)
{
    std::array<RegisterState, std::size_t(N)> sources;
    for (std::size_t i = 0; i < std::size_t(N); ++i)
        sources[i] = w.state(d.src[i]);
    return opaque(w, sources);
}

/// a + factor * b in arithmetic modulo 2^bits.
[[nodiscard]] RegisterState sum(
    Warp& w, const RegisterState& a, const RegisterState& b, std::int64_t factor, int bits);
/// The low `bits` bits, or all bits where `type` is read exactly and widened (see widened()).
[[nodiscard]] RegisterState truncated(Warp& w, const RegisterState& a, int bits);
/// The value of a type as an integer of 64 bits: needs that no block of the box wraps it.
[[nodiscard]] RegisterState widened(Warp& w, const ValueView& a, LaneMask mask, Type type);
[[nodiscard]] RegisterState product(
    Warp& w, const ValueView& a, const ValueView& b, LaneMask mask, Type type, MulPart part);

/// Compilers divide by a constant with mul.hi, perhaps an add, and shr. A ScaledQuotient remembers
/// what is on its way until the shift shows the divisor. 0: not such a case.
[[nodiscard]] std::uint16_t highQuotient(
    Warp& w, const ValueView& a, LaneMask mask, std::int64_t factor, Type type);
/// mul.hi(x, m - 2^32) + x is mul.hi(x, m).
[[nodiscard]] std::uint16_t addedToQuotient(
    Warp& w, const ValueView& a, const ValueView& b, LaneMask mask);
[[nodiscard]] RegisterState shiftedQuotient(
    Warp& w, const RegisterState& state, int amount, LaneMask mask);

struct DivisionStates {
    RegisterState quotient, remainder;
};
/// Truncating division of a value by a divisor; may ask for a split of the box.
[[nodiscard]] DivisionStates division(
    Warp& w, const ValueView& a, const ValueView& n, LaneMask mask, Type type);

/// Right shift by a constant, arithmetic for signed types; may ask for a split of the box.
[[nodiscard]] RegisterState shiftedRight(
    Warp& w, const ValueView& a, int amount, LaneMask mask, Type type);

/// What is the same in every lane of `mask` and in every block; nothing where it is not.
[[nodiscard]] std::optional<Word> constant(const ValueView& a, LaneMask mask, int bits);

/// Bitwise operation on disjoint or lower bits.
[[nodiscard]] RegisterState bitwise(
    Warp& w, const ValueView& a, const ValueView& b, LaneMask mask, Opcode op, int bits);

/// Bits of a value as a number of their own (bfe); may ask for a split of the box.
[[nodiscard]] RegisterState extracted(Warp& w, const ValueView& a, BitField field, LaneMask mask, Type type);
/// b with the low bits of a in place of some of its own (bfi).
[[nodiscard]] RegisterState inserted(
    Warp& w, const ValueView& a, const ValueView& b, BitField field, LaneMask mask, int bits);

/// Requires that `a < b` (or `a == b`) has one outcome a lane over the whole box; otherwise asks
/// for the split that brings this about. Returns the state of the outcome.
[[nodiscard]] RegisterState comparison(
    Warp& w, const ValueView& a, const ValueView& b, LaneMask mask, Type type, Compare compare);

/// A choice between two values, lane by lane.
[[nodiscard]] RegisterState choice(
    Warp& w, const RegisterState& a, const RegisterState& b, LaneMask takesB, LaneMask mask);

/// Asks for whatever makes the lanes of a value known: false where nothing is to be asked.
[[nodiscard]] bool asksForValue(Warp& w, const RegisterState& state, LaneMask mask);
/// The same for a value that must also be that of every block of the box.
[[nodiscard]] bool asksForOneValue(Warp& w, const RegisterState& state, LaneMask mask);

} // namespace rules

} // namespace coalescope::analysis
