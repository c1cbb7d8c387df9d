// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/cache_model.h"
#include "kernels/experiment/block_loads.h"
#include "kernels/experiment/block_moves.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coalescope::kernels {

/// What blocks that start one after another read, each sector once: told from one block's loads and
/// from how they move along each axis of the grid.
class Footprint {
public:
    Footprint(const BlockLoads& loads, const BlockMoves& moves);

    /// Distinct sectors that a window of so many blocks reads.
    [[nodiscard]] double sectors(double blocks) const;
    /// Cache lines that one block's loads of a group touch.
    [[nodiscard]] double lines(std::size_t group) const { return m_parts[group].lines; }
    /// True where all blocks along an axis read the same, or nearly, with some of their loads.
    [[nodiscard]] bool readsTheSame() const { return m_readsTheSame; }

private:
    struct Part { ///< loads that move alike: one a group
        std::vector<std::uint64_t> sectors; ///< distinct, in order
        double lines = 0;
        std::vector<double>
            fresh; ///< along each axis: share that the next block reads and this one does not
    };
    [[nodiscard]] double growth(const Part& part, std::size_t axes, double blocks) const;

    std::vector<GridAxis> m_axes;
    std::vector<Part> m_parts;
    bool m_readsTheSame = false;
};

/// Bytes that DRAM reads again because the L2 has let them go since other blocks read them: those
/// between whose uses more is read and written than the L2 keeps. `running` blocks are at work at a
/// time and get on alike, so that what they share is read once.
[[nodiscard]] double bytesReadAgain(const Footprint& footprint, const analysis::DeviceModel& device,
    const analysis::Traffic& traffic, double running);

} // namespace coalescope::kernels
