// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/quotients.h"

#include "analysis/execute/block.h"
#include "analysis/execute/intervals.h"
#include "analysis/execute/rules.h"

namespace coalescope::analysis {

std::int64_t divisorOf(Int128 factor, int shift, Int128 most)
{
    if (factor <= 0 || shift < 1 || shift > 63)
        return 0;
    const Int128 power = Int128(1) << shift;
    const Int128 d = (power + factor - 1) / factor;
    return d <= INT64_MAX && (factor * d - power) * most < power ? std::int64_t(d) : 0;
}

namespace rules {

std::uint16_t highQuotient(
    Warp& w, const ValueView& a, LaneMask mask, std::int64_t factor, Type type)
{
    auto& table = w.block->quotients();
    const Coefficients& c = w.block->pool()[a.state.coefficients];
    if (bytesOf(type) != 4 || table.size() > 0xfff0 || !fits(a.lanes, mask, c, type)
        || !staysNonNegative(a.lanes, mask, c, type))
        return 0;
    ScaledQuotient& q = table.emplace_back();
    std::copy_n(a.lanes, kWarpLanes, q.x.begin());
    q.coefficients = a.state.coefficients;
    q.lanes = mask;
    q.type = type;
    q.factor = factor;
    return std::uint16_t(table.size() - 1);
}

std::uint16_t addedToQuotient(Warp& w, const ValueView& a, const ValueView& b, LaneMask mask)
{
    const ValueView& quotient = a.state.quotient != 0 ? a : b;
    const ValueView& other = a.state.quotient != 0 ? b : a;
    auto& table = w.block->quotients();
    ScaledQuotient q = table[quotient.state.quotient];
    if ((other.state.linear() & mask) != mask || other.state.coefficients != q.coefficients
        || q.shift != 32 || q.factor >= 0 || table.size() > 0xfff0)
        return 0;
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const auto lane = std::size_t(std::countr_zero(rest));
        if (std::uint32_t(other.lanes[lane]) != std::uint32_t(q.x[lane]))
            return 0;
    }
    q.factor += Int128(1) << 32;
    q.lanes &= mask;
    table.push_back(q);
    return std::uint16_t(table.size() - 1);
}

RegisterState shiftedQuotient(Warp& w, const RegisterState& state, int amount, LaneMask mask)
{
    const ScaledQuotient& q = w.block->quotients()[state.quotient];
    auto& pool = w.block->pool();
    const Coefficients& c = pool[q.coefficients];
    Int128 most = 0;
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1)
        most = std::max(most, asInteger(q.x[std::size_t(std::countr_zero(rest))], q.type) + c.high);
    const std::int64_t by = divisorOf(q.factor, q.shift + amount, most);
    if ((mask & ~q.lanes) != 0 || by == 0)
        return lost(w, state.unknown, state.axes);
    const auto outcome = divide(q.x.data(), mask, c, by, q.type, w.block->box());
    if (outcome.split) {
        w.block->askSplit(*outcome.split);
        return lost(w, state.unknown, state.axes);
    }
    return withCoefficients(w, 0, 0, 0, pool.intern(outcome.quotient));
}

} // namespace rules

} // namespace coalescope::analysis
