// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/block.h"
#include "analysis/grid/grid_totals.h"

namespace coalescope::analysis {

/// Asks the access models about each access of a box's first block, once for every way in which the
/// other blocks shift its addresses modulo 128 bytes, and weighs the answers.
class BoxCounter final : public BlockObserver {
public:
    explicit BoxCounter(std::size_t instructions)
        : m_totals(instructions)
    {
    }
    void clear();
    void addTo(std::vector<InstructionTotals>& totals) const;

    Result<void> onAccess(std::uint32_t warp, const WarpAccess& access,
        std::span<const ResidueCount> shifts) override;
    void onBarrier(std::uint32_t, std::uint32_t) override { }

private:
    /// A copy's shared side comes right after its global one.
    void addCopy(const WarpAccess& to);

    WarpAccess m_from; ///< the global side of a copy past L1; no lane: none
    std::vector<ResidueCount> m_fromShifts;
    std::vector<InstructionTotals> m_totals;
    std::vector<std::uint32_t> m_touched; ///< instructions with a total
};

} // namespace coalescope::analysis
