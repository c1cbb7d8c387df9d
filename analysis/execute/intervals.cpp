// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/intervals.h"

#include <bit>
#include <numeric>

namespace coalescope::analysis {

namespace {

struct Range {
    Int128 low, high;
};

Range rangeOf(Type type)
{
    const int bits = bytesOf(type) * 8;
    if (isSigned(type))
        return { -(Int128(1) << (bits - 1)), (Int128(1) << (bits - 1)) - 1 };
    return { 0, (Int128(1) << bits) - 1 };
}

Range lanesRange(const Word* lanes, LaneMask mask, Type type)
{
    const Int128 first = asInteger(lanes[std::countr_zero(mask)], type);
    Range r { first, first };
    for (LaneMask rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
        const Int128 value = asInteger(lanes[std::countr_zero(rest)], type);
        r.low = std::min(r.low, value);
        r.high = std::max(r.high, value);
    }
    return r;
}

Type otherSign(Type type)
{
    const bool toUnsigned = isSigned(type);
    switch (bytesOf(type)) {
    case 1:
        return toUnsigned ? Type::U8 : Type::S8;
    case 2:
        return toUnsigned ? Type::U16 : Type::S16;
    case 4:
        return toUnsigned ? Type::U32 : Type::S32;
    default:
        return toUnsigned ? Type::U64 : Type::S64;
    }
}

Int128 floorDivide(Int128 a, Int128 b) // b > 0
{
    return a / b - (a % b < 0 ? 1 : 0);
}

Split bisection(const Box& box, unsigned axes)
{
    const int axis = box.longestAxis(axes);
    return { .axis = axis, .at = box.axis[std::size_t(axis)].extent / 2 };
}

/// Axis whose coefficient moves the value most; -1: none of those named.
int strongestAxis(const std::array<std::int64_t, kMaxAxes>& c, unsigned among, const Box& box)
{
    int best = -1;
    Int128 reach = 0;
    for (int k = 0; k < box.axes; ++k) {
        const Int128 r = Int128(c[std::size_t(k)]) * (box.axis[std::size_t(k)].extent - 1);
        const Int128 size = r < 0 ? -r : r;
        if ((among >> k & 1) && size > reach) {
            best = k;
            reach = size;
        }
    }
    return best;
}

/// Where base + c * t + [low, high], low and high from the other axes, has crossed zero for good:
/// the first t at which the sign of the whole interval is another than at t = 0, and the first at
/// which it stops being that of t = 0. Both may lie outside the axis.
std::array<Int128, 2> crossings(Int128 base, std::int64_t c, Int128 low, Int128 high)
{
    if (c > 0) // rises: some of it reaches 0 first, then all of it
        return { -floorDivide(base + high, c), -floorDivide(base + low, c) };
    const Int128 fall = -Int128(c); // falls below 0
    return { floorDivide(base + low, fall) + 1, floorDivide(base + high, fall) + 1 };
}

/// The cut of an axis at the first crossing of any undecided lane; empty: none lies inside.
struct FirstCut {
    Int128 at = 0;
    void offer(Int128 t, std::int64_t extent)
    {
        if (t > 0 && t < extent && (at == 0 || t < at))
            at = t;
    }
};

} // namespace

Int128 asInteger(Word word, Type type)
{
    switch (type) {
    case Type::S8:
        return std::int8_t(word);
    case Type::S16:
        return std::int16_t(word);
    case Type::S32:
        return std::int32_t(word);
    case Type::S64:
        return std::int64_t(word);
    default:
        break;
    }
    const int bits = bytesOf(type) * 8;
    return Int128(bits >= 64 ? word : word & ((Word(1) << bits) - 1));
}

bool fits(const Word* lanes, LaneMask mask, const Coefficients& c, Type type)
{
    if (mask == 0 || c.axes == 0)
        return true;
    const Range type_ = rangeOf(type), r = lanesRange(lanes, mask, type);
    return r.low + c.low >= type_.low && r.high + c.high <= type_.high;
}

bool staysNonNegative(const Word* lanes, LaneMask mask, const Coefficients& c, Type type)
{
    return mask == 0 || lanesRange(lanes, mask, type).low + c.low >= 0;
}

bool productHighIsConstant(
    const Word* lanes, LaneMask mask, const Coefficients& c, std::int64_t factor, Type type)
{
    const int bits = bytesOf(type) * 8;
    if (bits > 32 || !fits(lanes, mask, c, type))
        return false; // 64-bit products would leave 128 bits
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const Int128 value = asInteger(lanes[std::countr_zero(rest)], type);
        if (((value + c.low) * factor) >> bits != ((value + c.high) * factor) >> bits)
            return false;
    }
    return true;
}

int trailingZeros(const Coefficients& c)
{
    std::uint64_t any = 0;
    for (const std::int64_t value : c.c)
        any |= std::uint64_t(value);
    return std::countr_zero(any);
}

Division divide(const Word* lanes, LaneMask mask, const Coefficients& c, std::int64_t by, Type type,
    const Box& box)
{
    Division out;
    Int128 low = 0, high = 0; // of the part that is no multiple of the divisor
    unsigned ragged = 0;
    for (std::size_t k = 0; k < std::size_t(box.axes); ++k) {
        if (c.c[k] % by == 0) {
            out.quotient[k] = c.c[k] / by;
            continue;
        }
        out.remainder[k] = c.c[k];
        ragged |= 1u << k;
        const Int128 reach = Int128(c.c[k]) * (box.axis[k].extent - 1);
        (reach < 0 ? low : high) += reach;
    }
    bool decided = true;
    for (LaneMask rest = mask; rest != 0 && decided; rest &= rest - 1) {
        const Int128 value = asInteger(lanes[std::countr_zero(rest)], type);
        decided = floorDivide(value + low, by) == floorDivide(value + high, by);
    }
    if (decided)
        return out;

    const int axis = strongestAxis(c.c, ragged, box);
    const std::int64_t coefficient = c.c[std::size_t(axis)],
                       extent = box.axis[std::size_t(axis)].extent;
    const std::int64_t period = by / std::gcd(by, coefficient);
    if (period <= extent / 2 && box.axes < kMaxAxes) {
        out.split = Split { .kind = SplitKind::Factor, .axis = axis, .at = period };
        return out;
    }
    const Int128 reach = Int128(coefficient) * (extent - 1);
    const Int128 otherLow = low - std::min<Int128>(reach, 0),
                 otherHigh = high - std::max<Int128>(reach, 0);
    FirstCut first;
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const Int128 value = asInteger(lanes[std::countr_zero(rest)], type);
        // Relative to the multiple above (rising) or at (falling) the value that the lane has at t
        // = 0.
        const Int128 edge = floorDivide(value + (coefficient > 0 ? otherLow : otherHigh), by) * by
            + (coefficient > 0 ? by : 0);
        for (const Int128 t : crossings(value - edge, coefficient, otherLow, otherHigh))
            first.offer(t, extent);
    }
    out.split = first.at != 0 ? Split { .axis = axis, .at = std::int64_t(first.at) }
                              : bisection(box, ragged);
    return out;
}

std::optional<Split> comparisonSplit(const Word* a, const Coefficients& ca, const Word* b,
    const Coefficients& cb, LaneMask mask, Type type, Compare compare, const Box& box)
{
    if (mask == 0)
        return std::nullopt;
    const bool equality = compare == Compare::Eq || compare == Compare::Ne;
    // Two values are equal as unsigned integers exactly where they are as signed ones.
    if (equality && !(fits(a, mask, ca, type) && fits(b, mask, cb, type)))
        type = otherSign(type);
    if (!fits(a, mask, ca, type) || !fits(b, mask, cb, type))
        return bisection(box, ca.axes | cb.axes);
    std::array<std::int64_t, kMaxAxes> c {};
    Int128 low = 0, high = 0;
    unsigned axes = 0;
    for (std::size_t k = 0; k < std::size_t(box.axes); ++k) {
        const Int128 difference = Int128(ca.c[k]) - cb.c[k];
        if (difference > INT64_MAX || difference < INT64_MIN)
            return bisection(box, 1u << k);
        c[k] = std::int64_t(difference);
        axes |= difference != 0 ? 1u << k : 0;
        const Int128 reach = difference * (box.axis[k].extent - 1);
        (reach < 0 ? low : high) += reach;
    }
    // x < 0 decides lt and ge of a - b, x - 1 < 0 decides le and gt; equality needs both.
    const bool strict = compare == Compare::Lt || compare == Compare::Ge || compare == Compare::Lo
        || compare == Compare::Hs;
    const auto difference
        = [&](int lane) { return asInteger(a[lane], type) - asInteger(b[lane], type); };
    LaneMask undecided = 0;
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const Int128 d = difference(lane) - (strict || equality ? 0 : 1);
        const bool open = equality ? d + low <= 0 && d + high >= 0 && (axes != 0)
                                   : d + low < 0 && d + high >= 0;
        if (open)
            undecided |= 1u << lane;
    }
    if (undecided == 0)
        return std::nullopt;
    for (unsigned among = axes; among != 0;) {
        const int axis = strongestAxis(c, among, box);
        if (axis < 0)
            break;
        among &= ~(1u << axis);
        const std::int64_t extent = box.axis[std::size_t(axis)].extent;
        const Int128 reach = Int128(c[std::size_t(axis)]) * (extent - 1);
        const Int128 otherLow = low - std::min<Int128>(reach, 0);
        const Int128 otherHigh = high - std::max<Int128>(reach, 0);
        FirstCut first;
        for (LaneMask rest = undecided; rest != 0; rest &= rest - 1) {
            const Int128 d = difference(std::countr_zero(rest));
            const Int128 shifts[] = { 0, 1 };
            for (const Int128 shift : shifts) {
                if ((shift == 1 && strict && !equality) || (shift == 0 && !strict && !equality))
                    continue;
                for (const Int128 t :
                    crossings(d - shift, c[std::size_t(axis)], otherLow, otherHigh))
                    first.offer(t, extent);
            }
        }
        if (first.at != 0)
            return Split { .axis = axis, .at = std::int64_t(first.at) };
    }
    return bisection(box, axes);
}

} // namespace coalescope::analysis
