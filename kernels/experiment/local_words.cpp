// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/local_words.h"

#include "analysis/access/sector_model.h"

#include <algorithm>

namespace coalescope::kernels {

using analysis::kLocalWordBytes;
using analysis::MemoryOp;
using analysis::TraceStep;

namespace {

constexpr std::size_t kMostSpills = 200'000; ///< steps of a block: 60 MB

} // namespace

bool isLocal(const TraceStep& step)
{
    return step.kind == analysis::TraceKind::Access && step.access.space == analysis::Space::Local;
}

std::uint64_t localLinesOfAWarp(const analysis::BlockTrace& trace)
{
    std::uint64_t lines = 0;
    for (const auto& warp : trace.warps) {
        for (const TraceStep& step : warp) {
            if (!isLocal(step))
                continue;
            for (std::size_t lane = 0; lane < analysis::kWarpLanes; ++lane)
                if (step.access.active >> lane & 1)
                    lines = std::max(lines, step.access.address[lane] / kLocalWordBytes + analysis::localWordsOf(step.access));
        }
    }
    return lines;
}

void appendLocalParts(SectorParts& parts, const analysis::WarpAccess& access, std::size_t warp, std::uint64_t linesOfAWarp)
{
    for (const analysis::WarpAccess& request : analysis::localRequests(access))
        appendParts(parts, request, std::int64_t(warp * linesOfAWarp * analysis::kCacheLineBytes));
}

double addSpills(analysis::BlockTrace& trace, std::span<const LocalStep> all)
{
    const std::size_t most = std::max<std::size_t>(1, kMostSpills / std::max<std::size_t>(1, trace.warps.size()));
    const auto spills = all.first(std::min(all.size(), most));
    if (spills.empty())
        return 1;
    const std::int64_t lowest = std::ranges::min(spills, {}, &LocalStep::offset).offset;
    for (auto& warp : trace.warps) {
        std::vector<TraceStep> steps;
        std::size_t next = 0;
        for (std::size_t i = 0; i < spills.size(); ++i) {
            for (; next * spills.size() < i * warp.size(); ++next)
                steps.push_back(warp[next]);
            TraceStep& step = steps.emplace_back();
            step.access = { .space = analysis::Space::Local,
                .op = spills[i].isStore ? MemoryOp::Store : MemoryOp::Load,
                .widthBytes = std::uint8_t(spills[i].words * kLocalWordBytes),
                .active = analysis::kAllLanes };
            step.access.address.fill(std::uint64_t(spills[i].offset - lowest));
        }
        steps.insert(steps.end(), warp.begin() + std::ptrdiff_t(next), warp.end());
        warp = std::move(steps);
    }
    return double(all.size()) / double(spills.size());
}

analysis::LocalTraffic localTraffic(const analysis::BlockTrace& trace)
{
    analysis::LocalTraffic traffic;
    const std::uint64_t linesOfAWarp = localLinesOfAWarp(trace);
    SectorParts stored, parts;
    for (std::size_t warp = 0; linesOfAWarp > 0 && warp < trace.warps.size(); ++warp) {
        for (const TraceStep& step : trace.warps[warp]) {
            if (!isLocal(step) || step.access.active == 0)
                continue;
            parts.clear();
            appendLocalParts(parts, step.access, warp, linesOfAWarp);
            const bool store = isStore(step.access);
            (store ? traffic.storeRequests : traffic.loadRequests) += double(analysis::localWordsOf(step.access));
            (store ? traffic.storeSectors : traffic.loadSectors) += double(parts.size());
            (store ? traffic.storeTags : traffic.loadTags) += countGroups(parts, kLineSectors);
            if (!store)
                continue;
            stored.insert(stored.end(), parts.begin(), parts.end());
            std::erase_if(parts, [](const SectorPart& part) { return ~part.bytes == 0; });
            traffic.partStoreTags += countGroups(parts, kLineSectors);
        }
    }
    keepDistinct(stored);
    traffic.distinctLines = countGroups(stored, kLineSectors);
    traffic.distinctSectors = double(stored.size());
    return traffic;
}

} // namespace coalescope::kernels
