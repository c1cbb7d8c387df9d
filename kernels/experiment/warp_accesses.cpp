// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/warp_accesses.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace coalescope::kernels {

using Kind = MachineInstruction::Kind;
using enum MachineInstruction::Kind;
using analysis::MemoryOp;
using analysis::Space;

namespace {

Kind kindOf(const analysis::WarpAccess& access)
{
    const bool global = access.space == Space::Global;
    if (!global && access.space != Space::Shared)
        return Other;
    switch (access.op) {
    case MemoryOp::Load:
    case MemoryOp::MatrixLoad:
        return global ? GlobalLoad : SharedLoad;
    case MemoryOp::Store:
        return global ? GlobalStore : SharedStore;
    case MemoryOp::AsyncCopy:
        return global ? AsyncCopy : Other; // its other half
    case MemoryOp::BulkLoad:
    case MemoryOp::BulkStore:
        return Other; // one instruction for all of a copy
    default:
        return global ? GlobalAtomic : SharedAtomic;
    }
}

} // namespace

std::size_t sumOf(const AccessCounts& counts)
{
    return std::size_t(std::max<std::int64_t>(0, std::accumulate(counts.begin(), counts.end(), std::int64_t(0))));
}

WarpAccesses::WarpAccesses(const std::vector<analysis::TraceStep>& warp, const AccessRules& rules)
    : m_rules(rules)
{
    for (const analysis::TraceStep& step : warp) {
        const Kind own = step.kind == analysis::TraceKind::Access ? kindOf(step.access) : Barrier;
        if (own == Other)
            continue;
        const std::size_t kind = accessKindOf(own, step.access.widthBytes, rules.areAlike);
        m_places[kind].push_back(std::uint32_t(m_order.size()));
        m_order.push_back(kind);
        m_instructions.push_back(step.instruction);
        ++m_left[kind];
        ++m_untilBarrier.back()[kind];
        if (kind == Barrier)
            m_untilBarrier.emplace_back();
    }
}

bool WarpAccesses::make(std::size_t kind, bool predicated)
{
    const bool passes = (kind == GlobalLoad || kind > Counted - 1) && m_rules.loadsPassBarriers && m_untilBarrier[m_barriers][kind] == 0
        && m_barriers + 1 < m_untilBarrier.size();
    std::int64_t& here = m_untilBarrier[m_barriers + passes][kind];
    if (predicated && (here == 0 || (m_rules.areAlike && nextKind() != kind)))
        return true;
    if (here == 0 && m_predicated[kind] > 0) {
        --m_predicated[kind];
        return true;
    }
    if (m_left[kind] == 0)
        return false;
    here -= here > 0;
    --m_left[kind];
    ++m_made;
    m_predicated[kind] += predicated;
    if (kind == Barrier) {
        ++m_barriers;
        m_predicated = {};
    }
    return true;
}

std::size_t WarpAccesses::nextKind() const
{
    return std::ranges::min(kAccessKinds, {}, [&](std::size_t kind) {
        const std::size_t made = m_places[kind].size() - std::size_t(m_left[kind]);
        return made < m_places[kind].size() ? m_places[kind][made] : std::numeric_limits<std::uint32_t>::max();
    });
}

bool WarpAccesses::makesNext(const AccessCounts& turn) const
{
    return !m_rules.areAlike || turn[nextKind()] > 0;
}

bool WarpAccesses::areBeforeBarrier(const AccessCounts& must) const
{
    const AccessCounts& here = m_untilBarrier[m_barriers];
    return std::ranges::all_of(std::array { SharedLoad, SharedStore, SharedAtomic }, [&](Kind kind) { return must[kind] <= here[kind]; });
}

bool WarpAccesses::areNext(const AccessCounts& must, std::size_t turn) const
{
    AccessCounts next {};
    for (std::size_t i = m_made; i < std::min(m_order.size(), m_made + turn); ++i)
        ++next[m_order[i]];
    return std::ranges::all_of(kAccessKinds,
        [&](std::size_t kind) { return must[kind] <= 0 || 2 * next[kind] > must[kind]; });
}

bool WarpAccesses::goOnAlike(const AccessCounts& must, std::size_t turn) const
{
    if (m_made < turn)
        return true;
    const std::span last = std::span(m_instructions).subspan(m_made - turn, turn);
    const std::span next = std::span(m_instructions).subspan(m_made).first(std::min(turn, m_order.size() - m_made));
    const auto alike = std::ranges::count_if(next, [&](std::uint32_t one) { return std::ranges::find(last, one) != last.end(); });
    return 2 * std::size_t(alike) > sumOf(must);
}

AccessCounts WarpAccesses::aheadLikeLast(std::size_t turn, std::size_t most) const
{
    return aheadLike(m_made - std::min(turn, m_made), turn, most);
}

AccessCounts WarpAccesses::aheadLike(std::size_t first, std::size_t turn, std::size_t most) const
{
    const std::span alike = std::span(m_instructions).subspan(first).first(std::min(turn, m_order.size() - first));
    AccessCounts counts {}, sinceLast {};
    for (std::size_t i = m_made, last = i; i < m_order.size() && i <= last + most; ++i) {
        ++sinceLast[m_order[i]];
        if (std::ranges::find(alike, m_instructions[i]) == alike.end())
            continue;
        last = i;
        std::ranges::transform(counts, std::exchange(sinceLast, {}), counts.begin(), std::plus {});
    }
    return counts;
}

} // namespace coalescope::kernels
