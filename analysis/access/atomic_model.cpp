// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/atomic_model.h"

#include "analysis/access/sector_model.h"

#include <algorithm>
#include <map>
#include <ranges>

namespace coalescope::analysis {

std::uint32_t atomicSectors(const WarpAccess& access)
{
    if (access.isOneLanes)
        return access.active ? 1 : 0;
    std::map<std::uint64_t, std::uint32_t> lanesOfWords, busiest;
    for (LaneMask left = access.active; left; left &= left - 1)
        ++lanesOfWords[access.address[std::size_t(std::countr_zero(left))]];
    for (const auto& [address, lanes] : lanesOfWords) {
        std::uint32_t& most = busiest[address / kSectorBytes];
        most = std::max(most, lanes);
    }
    std::uint32_t sectors = 0;
    for (const std::uint32_t lanes : busiest | std::views::values)
        sectors += lanes;
    return sectors;
}

Result<LoopReport> loopReport(const WarpAccess& access)
{
    LoopReport report;
    WarpAccess load = access;
    load.op = MemoryOp::Load;
    for (const LoopTurn& turn : loopTurns(access)) {
        const auto loads = bankReport(load);
        if (!loads)
            return std::unexpected(loads.error());
        ++report.turns;
        report.swapWavefronts += 2 * turn.phases;
        report.loads.wavefronts += loads->wavefronts;
        report.loads.wavefrontsSass += loads->wavefrontsSass;
        report.loads.conflicts += loads->conflicts;
        report.loads.phases += loads->phases;
        load.active &= ~turn.lanes;
    }
    return report;
}

} // namespace coalescope::analysis
