// SPDX-License-Identifier: Apache-2.0
#include "analysis/grid/box_counter.h"

#include "analysis/access/atomic_model.h"
#include "analysis/access/bank_model.h"
#include "analysis/access/copy_model.h"
#include "analysis/access/sector_model.h"

namespace coalescope::analysis {

namespace {

Result<void> addLoop(InstructionTotals& totals, const WarpAccess& access, std::uint64_t count)
{
    const auto loop = loopReport(access);
    if (!loop)
        return std::unexpected(loop.error());
    totals.turns += loop->turns * count;
    totals.swapWavefronts += loop->swapWavefronts * count;
    totals.turnLoads += loop->loads.wavefronts * count;
    totals.turnLoadsSass += loop->loads.wavefrontsSass * count;
    totals.turnLoadConflicts += loop->loads.conflicts * count;
    return {};
}

} // namespace

void BoxCounter::clear()
{
    for (const std::uint32_t instruction : m_touched)
        m_totals[instruction] = {};
    m_touched.clear();
}

void BoxCounter::addTo(std::vector<InstructionTotals>& totals) const
{
    for (const std::uint32_t instruction : m_touched) {
        InstructionTotals from = m_totals[instruction];
        from.executions = 0; // here the accesses seen, of one block of the box
        totals[instruction] += from;
    }
}

void BoxCounter::addCopy(const WarpAccess& to)
{
    if (m_from.active == 0)
        return;
    WarpAccess from = m_from;
    m_from.active = 0;
    if (from.instruction != to.instruction)
        return;
    InstructionTotals& totals = m_totals[to.instruction];
    for (std::size_t i = 0; i < m_fromShifts.size(); ++i) {
        const std::uint64_t before = i == 0 ? 0 : m_fromShifts[i - 1].shift;
        for (std::uint64_t& address : from.address)
            address += m_fromShifts[i].shift - before;
        const CopyReport report = copyReport(from, to);
        totals.copyCounted += report.counted * m_fromShifts[i].count;
        totals.copyAsked += report.asked * m_fromShifts[i].count;
    }
}

Result<void> BoxCounter::onAccess(
    std::uint32_t, const WarpAccess& access, std::span<const ResidueCount> shifts)
{
    if (access.space != Space::Global && access.space != Space::Shared)
        return {};
    InstructionTotals& totals = m_totals[access.instruction];
    if (totals.executions++ == 0)
        m_touched.push_back(access.instruction);
    if (access.space == Space::Shared) {
        addCopy(access);
    } else if (copiesPastL1(access)) {
        m_from = access;
        m_fromShifts.assign(shifts.begin(), shifts.end());
    }
    WarpAccess shifted = access;
    // The hardware refuses a misaligned access, which is a hazard; here it counts as if rounded
    // down.
    const std::uint64_t aligned = ~std::uint64_t(access.widthBytes - 1);
    for (const auto& [shift, count] : shifts) {
        for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
            shifted.address[lane] = (access.address[lane] + shift) & aligned;
        if (access.space == Space::Global) {
            const auto report = sectorReport(shifted);
            if (!report)
                return std::unexpected(report.error());
            totals.requests += report->requests * count;
            totals.sectors += report->sectors * count;
            totals.tags += report->tags * count;
            totals.idealSectors += report->idealSectors * count;
            if (isAtomic(shifted)) {
                totals.atomicSectors += atomicSectors(shifted) * count;
                totals.openAtomicSectors += openAtomicSectors(shifted) * count;
            }
        } else {
            const auto report = bankReport(shifted);
            if (!report)
                return std::unexpected(report.error());
            totals.wavefronts += report->wavefronts * count;
            totals.wavefrontsSass += report->wavefrontsSass * count;
            totals.conflicts += report->conflicts * count;
            totals.phases += report->phases * count;
            totals.sharedExecutions += count;
            if (isLoop(shifted))
                if (auto added = addLoop(totals, shifted, count); !added)
                    return added;
        }
    }
    return {};
}

} // namespace coalescope::analysis
