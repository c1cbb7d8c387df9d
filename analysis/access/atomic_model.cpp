// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/atomic_model.h"

#include "analysis/access/sector_model.h"

#include <algorithm>
#include <array>
#include <utility>

namespace coalescope::analysis {

std::uint32_t atomicSectors(const WarpAccess& access)
{
    if (access.isOneLanes)
        return access.active ? 1 : 0;
    std::array<std::uint64_t, kWarpLanes> addresses;
    auto end = addresses.begin();
    for (LaneMask left = access.active; left; left &= left - 1)
        *end++ = access.address[std::size_t(std::countr_zero(left))];
    std::sort(addresses.begin(), end);
    std::uint32_t sectors = 0, most = 0;
    for (auto word = addresses.begin(); word != end;) {
        const auto next = std::find_if(word, end, [&](std::uint64_t address) { return address != *word; });
        most = std::max(most, std::uint32_t(next - word));
        if (next == end || *next / kSectorBytes != *word / kSectorBytes)
            sectors += std::exchange(most, 0);
        word = next;
    }
    return sectors;
}

std::uint32_t openAtomicSectors(const WarpAccess& access)
{
    constexpr std::uint64_t kBankBytes = 4;
    if (access.isOneLanes)
        return 0;
    std::array<std::uint64_t, kBanks> wordOf {};
    LaneMask taken = 0; // banks
    bool meets = false;
    for (LaneMask left = access.active; left; left &= left - 1) {
        const std::uint64_t word = access.address[std::size_t(std::countr_zero(left))] / kBankBytes;
        const std::size_t bank = word % kBanks;
        meets = meets || ((taken >> bank & 1) && wordOf[bank] != word);
        taken |= LaneMask(1) << bank;
        wordOf[bank] = word;
    }
    return meets ? std::uint32_t(std::popcount(access.active)) - atomicSectors(access) : 0;
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
