// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/rules.h"

#include "analysis/execute/block.h"
#include "analysis/execute/intervals.h"

namespace coalescope::analysis {

namespace {

unsigned axesOf(Warp& w, const RegisterState& s)
{
    return w.block->pool()[s.coefficients].axes | s.axes;
}

std::optional<Word> uniform(const Word* lanes, LaneMask mask, int bits)
{
    if (mask == 0)
        return std::nullopt;
    const Word low = bits == 64 ? ~Word(0) : (Word(1) << bits) - 1;
    const Word first = lanes[std::countr_zero(mask)] & low;
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1)
        if ((lanes[std::countr_zero(rest)] & low) != first)
            return std::nullopt;
    return first;
}

} // namespace

void Warp::mergeState(RegisterState& old, LaneMask mask, const RegisterState& now)
{
    if (coversAll(mask)) {
        old = now;
        return;
    }
    RegisterState merged { .unknown = (old.unknown & ~mask) | (now.unknown & mask),
        .nonlinear = (old.nonlinear & ~mask) | (now.nonlinear & mask),
        .coefficients = now.coefficients,
        .axes = std::uint16_t(old.axes | now.axes) };
    if (old.coefficients != now.coefficients) {
        // The other lanes keep a value of another shape; one vector serves all lanes of a register.
        auto& pool = block->pool();
        merged.nonlinear |= live & ~mask & ~old.unknown;
        merged.axes |= std::uint16_t(pool[old.coefficients].axes | pool[now.coefficients].axes);
    }
    if (merged.nonlinear == 0)
        merged.axes = 0;
    old = merged;
}

namespace rules {

std::optional<Word> constant(const ValueView& a, LaneMask mask, int bits)
{
    return a.state.isPlain() ? uniform(a.lanes, mask, bits) : std::nullopt;
}

RegisterState lost(Warp& w, LaneMask unknown, unsigned axes)
{
    if (w.block->box().isSingle())
        return { .unknown = unknown };
    return { .unknown = unknown, .nonlinear = ~unknown, .axes = std::uint16_t(axes) };
}

RegisterState withCoefficients(
    Warp& w, LaneMask unknown, LaneMask nonlinear, unsigned axes, std::optional<CoefficientId> id)
{
    if (!id)
        return lost(w, unknown, ~0u);
    return { .unknown = unknown,
        .nonlinear = nonlinear & ~unknown,
        .coefficients = *id,
        .axes = std::uint16_t(nonlinear != 0 ? axes : 0) };
}

RegisterState opaque(const Warp& w, std::span<const RegisterState> sources)
{
    RegisterState out;
    unsigned axes = 0;
    bool affine = false;
    for (const RegisterState& s : sources) {
        out.unknown |= s.unknown;
        out.nonlinear |= s.nonlinear;
        axes |= s.axes | w.block->pool()[s.coefficients].axes;
        affine = affine || s.coefficients != 0;
    }
    if (affine)
        out.nonlinear = kAllLanes;
    out.nonlinear &= ~out.unknown;
    out.axes = std::uint16_t(out.nonlinear != 0 ? axes : 0);
    return out;
}

RegisterState sum(
    Warp& w, const RegisterState& a, const RegisterState& b, std::int64_t factor, int bits)
{
    return withCoefficients(w, a.unknown | b.unknown, a.nonlinear | b.nonlinear, a.axes | b.axes,
        w.block->pool().combine(a.coefficients, b.coefficients, factor, bits));
}

RegisterState truncated(Warp& w, const RegisterState& a, int bits)
{
    if (a.coefficients == 0)
        return a;
    return withCoefficients(
        w, a.unknown, a.nonlinear, a.axes, w.block->pool().combine(0, a.coefficients, 1, bits));
}

RegisterState widened(Warp& w, const ValueView& a, LaneMask mask, Type type)
{
    if (a.state.coefficients == 0)
        return a.state;
    const RegisterState own = truncated(w, a.state, bytesOf(type) * 8);
    const auto& c = w.block->pool()[own.coefficients];
    if (fits(a.lanes, mask & own.linear(), c, type))
        return own;
    return lost(w, own.unknown, c.axes | own.axes);
}

RegisterState product(
    Warp& w, const ValueView& a, const ValueView& b, LaneMask mask, Type type, MulPart part)
{
    const LaneMask unknown = a.state.unknown | b.state.unknown;
    const LaneMask nonlinear = a.state.nonlinear | b.state.nonlinear;
    const unsigned axes = axesOf(w, a.state) | axesOf(w, b.state);
    if (a.state.coefficients == 0 && b.state.coefficients == 0)
        return withCoefficients(w, unknown, nonlinear, axes, CoefficientId(0));
    if (a.state.coefficients != 0 && b.state.coefficients != 0)
        return lost(w, unknown, axes);
    const ValueView& affine = a.state.coefficients != 0 ? a : b;
    const ValueView& fixed = a.state.coefficients != 0 ? b : a;
    const int bits = bytesOf(type) * 8;
    const LaneMask linear = mask & ~(unknown | nonlinear);
    const auto factor = uniform(fixed.lanes, linear, bits);
    if (!factor)
        return linear == 0 ? withCoefficients(w, unknown, nonlinear, axes, CoefficientId(0))
                           : lost(w, unknown, axes);
    auto& pool = w.block->pool();
    const auto value = std::int64_t(asInteger(*factor, type));
    if (part == MulPart::Hi) {
        if (productHighIsConstant(
                affine.lanes, linear, pool[affine.state.coefficients], value, type))
            return withCoefficients(w, unknown, nonlinear, axes, CoefficientId(0));
        RegisterState high = lost(w, unknown, axes);
        if ((unknown & mask) == 0 && (nonlinear & mask) == 0)
            high.quotient = highQuotient(w, affine, mask, value, type);
        return high;
    }
    if (part == MulPart::Wide) {
        const RegisterState wide = widened(w, affine, mask, type);
        if (wide.nonlinear != affine.state.nonlinear)
            return lost(w, unknown, axes);
        return withCoefficients(
            w, unknown, nonlinear, axes, pool.combine(0, wide.coefficients, value, 2 * bits));
    }
    return withCoefficients(
        w, unknown, nonlinear, axes, pool.combine(0, affine.state.coefficients, value, bits));
}

DivisionStates division(Warp& w, const ValueView& a, const ValueView& n, LaneMask mask, Type type)
{
    const LaneMask unknown = a.state.unknown | n.state.unknown;
    const LaneMask nonlinear = a.state.nonlinear | n.state.nonlinear;
    const unsigned axes = axesOf(w, a.state) | axesOf(w, n.state);
    const auto both = [](const RegisterState& s) { return DivisionStates { s, s }; };
    if (a.state.coefficients == 0 && n.state.coefficients == 0)
        return both(withCoefficients(w, unknown, nonlinear, axes, CoefficientId(0)));
    const LaneMask linear = mask & ~(unknown | nonlinear);
    const int bits = bytesOf(type) * 8;
    const auto divisor = n.state.coefficients == 0 ? uniform(n.lanes, linear, bits) : std::nullopt;
    const Int128 by = divisor ? asInteger(*divisor, type) : 0;
    auto& pool = w.block->pool();
    if (by <= 0 || by > INT64_MAX || !fits(a.lanes, linear, pool[a.state.coefficients], type)
        || !staysNonNegative(a.lanes, linear, pool[a.state.coefficients], type))
        return both(linear == 0 ? withCoefficients(w, unknown, nonlinear, axes, CoefficientId(0))
                                : lost(w, unknown, axes));
    const auto outcome = divide(
        a.lanes, linear, pool[a.state.coefficients], std::int64_t(by), type, w.block->box());
    if (outcome.split) {
        w.block->askSplit(*outcome.split);
        return both(lost(w, unknown, axes));
    }
    return { withCoefficients(w, unknown, nonlinear, axes, pool.intern(outcome.quotient)),
        withCoefficients(w, unknown, nonlinear, axes, pool.intern(outcome.remainder)) };
}

RegisterState shiftedRight(Warp& w, const ValueView& a, int amount, LaneMask mask, Type type)
{
    if (a.state.quotient != 0)
        return shiftedQuotient(w, a.state, amount, mask);
    const LaneMask linear = mask & a.state.linear();
    auto& pool = w.block->pool();
    if (amount > 62 || !fits(a.lanes, linear, pool[a.state.coefficients], type))
        return linear == 0
            ? withCoefficients(w, a.state.unknown, a.state.nonlinear, a.state.axes, 0)
            : lost(w, a.state.unknown, axesOf(w, a.state));
    const auto outcome = divide(a.lanes, linear, pool[a.state.coefficients],
        std::int64_t(1) << amount, type, w.block->box());
    if (outcome.split) {
        w.block->askSplit(*outcome.split);
        return lost(w, a.state.unknown, axesOf(w, a.state));
    }
    return withCoefficients(
        w, a.state.unknown, a.state.nonlinear, axesOf(w, a.state), pool.intern(outcome.quotient));
}

RegisterState bitwise(
    Warp& w, const ValueView& a, const ValueView& b, LaneMask mask, Opcode op, int bits)
{
    const LaneMask unknown = a.state.unknown | b.state.unknown;
    const LaneMask nonlinear = a.state.nonlinear | b.state.nonlinear;
    const unsigned axes = axesOf(w, a.state) | axesOf(w, b.state);
    if (a.state.coefficients == 0 && b.state.coefficients == 0)
        return withCoefficients(w, unknown, nonlinear, axes, CoefficientId(0));
    if (a.state.coefficients != 0 && b.state.coefficients != 0)
        return lost(w, unknown, axes);
    const bool aAffine = a.state.coefficients != 0;
    const auto id = aAffine ? a.state.coefficients : b.state.coefficients;
    const Word* affine = aAffine ? a.lanes : b.lanes;
    const Word* fixed = aAffine ? b.lanes : a.lanes;
    // Multiples of 2^k leave the low k bits of every lane alone: what only touches those is exact.
    auto& pool = w.block->pool();
    const int k = std::min(trailingZeros(pool[id]), bits);
    const Word all = bits == 64 ? ~Word(0) : (Word(1) << bits) - 1;
    const Word low = k == 64 ? ~Word(0) : (Word(1) << k) - 1;
    bool touchesLow = true, keepsHigh = true; // every fixed lane is below 2^k; has all bits above
    for (LaneMask rest = mask & ~(unknown | nonlinear); rest != 0; rest &= rest - 1) {
        const Word bitsOfLane = fixed[std::countr_zero(rest)] & all;
        touchesLow = touchesLow && (bitsOfLane & ~low) == 0;
        keepsHigh = keepsHigh && (bitsOfLane | low) == (all | low);
    }
    if (touchesLow)
        return withCoefficients(
            w, unknown, nonlinear, axes, op == Opcode::And ? CoefficientId(0) : id);
    if (keepsHigh && op == Opcode::And)
        return withCoefficients(w, unknown, nonlinear, axes, id);
    if (op == Opcode::And) {
        // x & (2^m - 1) is a remainder, x & ~(2^m - 1) the rest of it.
        const auto m = uniform(fixed, mask & ~(unknown | nonlinear), bits);
        const Type type = bits == 64 ? Type::U64 : Type::U32;
        const LaneMask linear = mask & ~(unknown | nonlinear);
        const Word remainderMask = m && (*m & (*m + 1)) == 0 ? *m : m ? ~*m & all : 0;
        if (m && bits >= 32 && remainderMask != 0 && (remainderMask & (remainderMask + 1)) == 0
            && remainderMask < INT64_MAX && fits(affine, linear, pool[id], type)) {
            const auto by = std::int64_t(remainderMask + 1);
            const auto outcome = divide(affine, linear, pool[id], by, type, w.block->box());
            if (outcome.split) {
                w.block->askSplit(*outcome.split);
                return lost(w, unknown, axes);
            }
            const auto rest = pool.intern(outcome.remainder);
            if (remainderMask == *m || !rest)
                return withCoefficients(w, unknown, nonlinear, axes, rest);
            return withCoefficients(w, unknown, nonlinear, axes, pool.combine(id, *rest, -1, bits));
        }
    }
    return lost(w, unknown, axes);
}

namespace {

/// a & keep.
RegisterState masked(Warp& w, const ValueView& a, Word keep, LaneMask mask, int bits)
{
    std::array<Word, kWarpLanes> lanes;
    lanes.fill(keep);
    return bitwise(w, a, { lanes.data(), {} }, mask, Opcode::And, bits);
}

} // namespace

RegisterState extracted(Warp& w, const ValueView& a, BitField field, LaneMask mask, Type type)
{
    const int bits = bytesOf(type) * 8;
    if (field.position >= bits || field.length == 0 || (isSigned(type) && !field.reachesTop(bits)))
        return opaque(w, { &a.state, 1 });
    const RegisterState shifted = field.position == 0 ? a.state : shiftedRight(w, a, field.position, mask, type);
    if (field.reachesTop(bits) || w.block->isStopped())
        return shifted;
    std::array<Word, kWarpLanes> lanes;
    for (std::size_t l = 0; l < lanes.size(); ++l)
        lanes[l] = (bits == 64 ? a.lanes[l] : Word(std::uint32_t(a.lanes[l]))) >> field.position;
    return masked(w, { lanes.data(), shifted }, field.low(), mask, bits);
}

RegisterState inserted(
    Warp& w, const ValueView& a, const ValueView& b, BitField field, LaneMask mask, int bits)
{
    if (field.position >= bits || field.length == 0)
        return b.state;
    const RegisterState from = field.reachesTop(bits) ? a.state : masked(w, a, field.low(), mask, bits);
    if (w.block->isStopped())
        return from;
    return sum(w, masked(w, b, ~(field.low() << field.position), mask, bits), from,
        std::int64_t(Word(1) << field.position), bits);
}

RegisterState comparison(
    Warp& w, const ValueView& a, const ValueView& b, LaneMask mask, Type type, Compare compare)
{
    const RegisterState states[] = { a.state, b.state };
    if (a.state.coefficients == 0 && b.state.coefficients == 0)
        return opaque(w, states);
    const LaneMask unknown = a.state.unknown | b.state.unknown;
    const LaneMask nonlinear = a.state.nonlinear | b.state.nonlinear;
    const RegisterState out { .unknown = unknown,
        .nonlinear = nonlinear & ~unknown,
        .axes = std::uint16_t(axesOf(w, a.state) | axesOf(w, b.state)) };
    const auto& pool = w.block->pool();
    const auto split = comparisonSplit(a.lanes, pool[a.state.coefficients], b.lanes,
        pool[b.state.coefficients], mask & ~(unknown | nonlinear), type, compare, w.block->box());
    if (split)
        w.block->askSplit(*split);
    return out;
}

RegisterState choice(
    Warp& w, const RegisterState& a, const RegisterState& b, LaneMask takesB, LaneMask mask)
{
    RegisterState out { .unknown = (a.unknown & ~takesB) | (b.unknown & takesB),
        .nonlinear = (a.nonlinear & ~takesB) | (b.nonlinear & takesB),
        .coefficients = a.coefficients };
    unsigned axes = a.axes | b.axes;
    if (a.coefficients != b.coefficients) {
        if ((mask & takesB) == mask) {
            out.coefficients = b.coefficients;
        } else if ((mask & takesB) != 0) {
            out.nonlinear |= takesB;
            axes |= axesOf(w, a) | axesOf(w, b);
        }
    }
    out.nonlinear &= ~out.unknown;
    out.axes = std::uint16_t(out.nonlinear != 0 ? axes : 0);
    return out;
}

bool asksForValue(Warp& w, const RegisterState& state, LaneMask mask)
{
    if (((state.unknown | state.nonlinear) & mask) == 0)
        return false;
    if (state.unknown & mask)
        w.block->askValues();
    else
        w.block->askBisection(state.axes);
    return true;
}

bool asksForOneValue(Warp& w, const RegisterState& state, LaneMask mask)
{
    if (asksForValue(w, state, mask))
        return true;
    if (state.coefficients != 0)
        w.block->askBisection(w.block->pool()[state.coefficients].axes);
    return state.coefficients != 0;
}

} // namespace rules

} // namespace coalescope::analysis
