// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/block_loads.h"

#include "kernels/experiment/sector_parts.h"

namespace coalescope::kernels {

using analysis::MemoryOp;
using analysis::TraceStep;

bool isGlobalLoad(const TraceStep& step)
{
    return step.kind == analysis::TraceKind::Access && step.access.space == analysis::Space::Global
        && (step.access.op == MemoryOp::Load || step.access.op == MemoryOp::AsyncCopy);
}

bool isGlobalStore(const TraceStep& step)
{
    return step.kind == analysis::TraceKind::Access && step.access.space == analysis::Space::Global
        && step.access.op == MemoryOp::Store;
}

void appendLines(
    std::vector<LinePart>& parts, const analysis::WarpAccess& access, std::int64_t shift)
{
    thread_local SectorParts sectors;
    sectors.clear();
    appendParts(sectors, access, shift);
    const std::size_t begin = parts.size();
    for (const SectorPart& sector : sectors) {
        const std::uint64_t line = sector.sector / kLineSectors;
        if (parts.size() == begin || parts.back().line != line)
            parts.push_back({ line, 0 });
        parts.back().sectors |= 1u << (sector.sector % kLineSectors);
    }
}

BlockLoads::BlockLoads(const analysis::BlockTrace& trace, std::size_t mostLoads)
{
    for (const auto& steps : trace.warps) {
        auto& warp = m_warps.emplace_back();
        for (const TraceStep& step : steps) {
            if (!isGlobalLoad(step))
                continue;
            if (warp.size() == mostLoads) {
                m_isWhole = false;
                break;
            }
            Load load { .first = std::uint32_t(m_parts.size()),
                .instruction = step.instruction,
                .access = &step.access };
            appendLines(m_parts, step.access);
            load.count = std::uint32_t(m_parts.size()) - load.first;
            warp.push_back(load);
        }
        m_longest = std::max(m_longest, warp.size());
    }
}

double missesOfOneBlock(const BlockLoads& loads, std::size_t l1Lines)
{
    LruLines l1(l1Lines);
    double misses = 0;
    for (std::size_t i = 0; i < loads.longestWarp(); ++i) {
        for (const auto& warp : loads.warps()) {
            if (i >= warp.size())
                continue;
            for (const LinePart& part : loads.parts(warp[i]))
                misses += l1.misses(part, warp[i].access->l1);
        }
    }
    return misses;
}

} // namespace coalescope::kernels
