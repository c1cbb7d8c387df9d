// SPDX-License-Identifier: Apache-2.0
// Products of matrices that the lanes of a warp hold together. Source: PTX ISA, "Matrix Fragments for mma.m16n8k16" and its
// kin, movmatrix.
//
// Products are exact and their sum is rounded once, to the type of the result: how the hardware rounds on the way is not
// documented.
#include "analysis/execute/half.h"
#include "analysis/execute/lane_ops.h"

#include <algorithm>
#include <limits>

namespace coalescope::analysis {

namespace {

constexpr int kRowLanes = 4; ///< lanes l with the same l / 4 hold a row of a and of d, and a column of b
constexpr int kMostElements = 4; ///< of a register

/// The elements that the lanes hold in one register.
template <class Number> using Elements = std::array<std::array<Number, kMostElements>, kWarpLanes>;

template <class Number> Elements<Number> elementsOf(const Word* words, Type type)
{
    Elements<Number> elements {};
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
        const Word word = words[lane];
        auto& e = elements[lane];
        switch (type) {
        case Type::F16:
            e = { Number(as<Half>(word).value()), Number(as<Half>(word >> 16).value()) };
            break;
        case Type::BF16:
            e = { Number(as<BFloat>(word).value()), Number(as<BFloat>(word >> 16).value()) };
            break;
        case Type::F32: // tf32: 10 bits of the mantissa count
            e = { Number(as<float>(word & ~Word(0x1fff))) };
            break;
        case Type::F64:
            e = { Number(as<double>(word)) };
            break;
        case Type::E4M3:
        case Type::E5M2:
            for (std::size_t i = 0; i < kMostElements; ++i)
                e[i] = Number(fromSmall(std::uint8_t(word >> (8 * i)), type == Type::E4M3 ? kE4M3Format : kE5M2Format));
            break;
        default:
            for (std::size_t i = 0; i < kMostElements; ++i)
                e[i] = type == Type::S8 ? Number(std::int8_t(word >> (8 * i))) : Number(std::uint8_t(word >> (8 * i)));
            break;
        }
    }
    return elements;
}

/// Adds the products of row l / 4 of a with column 2 (l % 4) + `second` of b to each lane's sum.
template <class Number>
void addProducts(std::array<Number, kWarpLanes>& sums, const Elements<Number>& a, const Elements<Number>& b, int second)
{
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
        const std::size_t row = lane / kRowLanes, column = lane % kRowLanes * 2 + std::size_t(second);
        for (std::size_t s = 0; s < kRowLanes; ++s)
            for (std::size_t i = 0; i < kMostElements; ++i)
                sums[lane] += a[row * kRowLanes + s][i] * b[column * kRowLanes + s][i];
    }
}

Word clamped(std::int64_t sum, bool saturate)
{
    using Limits = std::numeric_limits<std::int32_t>;
    return word(std::int32_t(saturate ? std::clamp<std::int64_t>(sum, Limits::min(), Limits::max()) : sum));
}

/// What is added to, and the result: `half` is the upper or the lower one of F16x2.
template <class Number> Number addend(Word word, Type type, int half)
{
    switch (type) {
    case Type::F32:
        return Number(as<float>(word));
    case Type::F64:
        return Number(as<double>(word));
    case Type::F16x2:
        return Number(as<Half>(word >> (16 * half)).value());
    default:
        return Number(std::int32_t(word));
    }
}
template <class Number> Word resultOf(Number sum, const Instruction& i)
{
    switch (i.type) {
    case Type::F32:
        return word(float(sum));
    case Type::F64:
        return word(double(sum));
    case Type::F16x2:
        return word(Half(double(sum)));
    default:
        return clamped(std::int64_t(sum), i.mod.saturate);
    }
}

template <class Number> void multiply(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    const Word* c = w.value(d.src[4]);
    const bool pair = i.type == Type::F16x2;
    std::array<std::array<Number, kWarpLanes>, 2> sums {}; // of one column, or of both
    const std::size_t columns = pair ? 2 : 1;
    for (std::size_t column = 0; column < columns; ++column)
        for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
            sums[column][lane] = addend<Number>(c[lane], i.type, int(column));
    for (std::size_t step = 0; step < 2 && i.src[step].kind != OperandKind::None; ++step) {
        const auto a = elementsOf<Number>(w.value(d.src[step]), i.sourceType), b = elementsOf<Number>(w.value(d.src[2 + step]), i.sourceType);
        for (std::size_t column = 0; column < columns; ++column)
            addProducts(sums[column], a, b, pair ? int(column) : int(i.mod.secondColumn));
    }
    std::array<Word, kWarpLanes> results {};
    for (std::size_t column = 0; column < columns; ++column)
        for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
            results[lane] |= resultOf(sums[column][lane], i) << (16 * column);
    writeLanes(w, d.dst[0], mask, [&](int l) { return results[std::size_t(l)]; });
}

/// What a lane's result depends on that is made of all lanes' values.
RegisterState ofAllLanes(const RegisterState& source, LaneMask mask)
{
    RegisterState state { .axes = source.axes };
    if (source.unknown & mask)
        state.unknown = kAllLanes;
    else if (source.nonlinear & mask)
        state.nonlinear = kAllLanes;
    return state;
}

Step mma(Warp& w, const Decoded& d, LaneMask mask)
{
    const Instruction& i = *d.source;
    RegisterState state;
    if (!plainSources<5>(w, d)) {
        std::array<RegisterState, 4> factors;
        for (std::size_t k = 0; k < factors.size(); ++k)
            factors[k] = w.state(d.src[k]);
        const std::array all { ofAllLanes(rules::opaque(w, factors), mask), w.state(d.src[4]) };
        state = rules::opaque(w, all);
    }
    if ((mask & ~state.unknown) != 0) {
        if (i.sourceType == Type::S8 || i.sourceType == Type::U8)
            multiply<std::int64_t>(w, d, mask);
        else
            multiply<double>(w, d, mask);
    }
    w.setState(d.dst[0], mask, state);
    return Step::Next;
}

/// Lane l gets two elements of column l / 4.
Step moveMatrix(Warp& w, const Decoded& d, LaneMask mask)
{
    const RegisterState source = w.state(d.src[0]);
    const RegisterState state
        = source.isPlain() ? RegisterState {} : ofAllLanes(rules::opaque(w, std::array { source }), mask);
    const Word* a = w.value(d.src[0]);
    std::array<Word, kWarpLanes> turned {};
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
        const std::size_t column = lane / kRowLanes;
        for (std::size_t e = 0; e < 2; ++e) {
            const std::size_t row = lane % kRowLanes * 2 + e;
            turned[lane] |= (a[row * kRowLanes + column / 2] >> (16 * (column % 2)) & 0xffff) << (16 * e);
        }
    }
    writeLanes(w, d.dst[0], mask, [&](int l) { return turned[std::size_t(l)]; });
    w.setState(d.dst[0], mask, state);
    return Step::Next;
}

} // namespace

Handler selectMma(const Instruction&) { return &mma; }
Handler selectMoveMatrix(const Instruction&) { return &moveMatrix; }

} // namespace coalescope::analysis
