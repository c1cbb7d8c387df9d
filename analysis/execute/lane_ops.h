// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/block.h"
#include "analysis/execute/handlers.h"
#include "analysis/execute/rules.h"

namespace coalescope::analysis {

/// `true` where the block still runs: the end of every handler that rules may have stopped.
[[nodiscard]] inline Step stepOf(const Warp& w)
{
    return w.block->isStopped() ? Step::Stop : Step::Next;
}

/// The handler of Op<T> for an integer type of 16, 32 or 64 bits; null for others.
template <template <class> class Op> [[nodiscard]] constexpr Handler byInteger(Type type)
{
    switch (type) {
    case Type::U16:
        return &Op<std::uint16_t>::run;
    case Type::U32:
        return &Op<std::uint32_t>::run;
    case Type::U64:
        return &Op<std::uint64_t>::run;
    case Type::S16:
        return &Op<std::int16_t>::run;
    case Type::S32:
        return &Op<std::int32_t>::run;
    case Type::S64:
        return &Op<std::int64_t>::run;
    default:
        return nullptr;
    }
}

/// The same for bit types, where the sign does not matter.
template <template <class> class Op> [[nodiscard]] constexpr Handler byBits(Type type)
{
    switch (bytesOf(type)) {
    case 2:
        return &Op<std::uint16_t>::run;
    case 4:
        return &Op<std::uint32_t>::run;
    case 8:
        return &Op<std::uint64_t>::run;
    default:
        return nullptr;
    }
}

/// dst = f(src...) lane by lane, and nothing affine comes out of it.
template <class F> inline Step mapUnary(Warp& w, const Decoded& d, LaneMask mask, F&& f)
{
    RegisterState state;
    if (!plainSources<1>(w, d)) [[unlikely]]
        state = rules::opaqueSources<1>(w, d);
    const Word* a = w.value(d.src[0]);
    writeLanes(w, d.dst[0], mask, [&](int l) { return f(a[l]); });
    w.setState(d.dst[0], mask, state);
    return Step::Next;
}
template <class F> inline Step mapBinary(Warp& w, const Decoded& d, LaneMask mask, F&& f)
{
    RegisterState state;
    if (!plainSources<2>(w, d)) [[unlikely]]
        state = rules::opaqueSources<2>(w, d);
    const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]);
    writeLanes(w, d.dst[0], mask, [&](int l) { return f(a[l], b[l]); });
    w.setState(d.dst[0], mask, state);
    return Step::Next;
}
template <class F> inline Step mapTernary(Warp& w, const Decoded& d, LaneMask mask, F&& f)
{
    RegisterState state;
    if (!plainSources<3>(w, d)) [[unlikely]]
        state = rules::opaqueSources<3>(w, d);
    const Word *a = w.value(d.src[0]), *b = w.value(d.src[1]), *c = w.value(d.src[2]);
    writeLanes(w, d.dst[0], mask, [&](int l) { return f(a[l], b[l], c[l]); });
    w.setState(d.dst[0], mask, state);
    return Step::Next;
}

} // namespace coalescope::analysis
