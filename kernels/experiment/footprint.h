// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/cache_model.h"
#include "kernels/experiment/block_accesses.h"
#include "kernels/experiment/block_moves.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace coalescope::kernels {

/// What blocks that start one after another read, each sector once: told from one block's loads and
/// from how they move along each axis of the grid.
class Footprint {
public:
    Footprint(const BlockAccesses& block, const BlockMoves& moves);

    /// Of loads that move alike, as BlockMoves has them.
    [[nodiscard]] std::size_t groups() const { return m_parts.size(); }
    /// Distinct sectors that a window of so many blocks reads.
    [[nodiscard]] double sectors(double blocks) const;
    /// Of those, what a group's loads read: none where the block's accesses were followed only in part, and its loads come later.
    [[nodiscard]] double sectors(std::size_t group, double blocks) const;
    /// What they read of a buffer.
    [[nodiscard]] double sectorsOf(std::size_t group, const analysis::Buffer& buffer, double blocks) const;
    /// The first address that the traced block's loads of a group read of a buffer; nothing where they read none of it.
    [[nodiscard]] std::optional<std::uint64_t> firstOf(std::size_t group, const analysis::Buffer& buffer) const;
    /// True where all blocks along an axis read the same, or nearly, with some of their loads.
    [[nodiscard]] bool readsTheSame() const { return m_readsTheSame; }

private:
    struct Part { ///< loads that move alike: one a group
        std::vector<std::uint64_t> sectors; ///< distinct, in order
        std::vector<double>
            fresh; ///< along each axis: share that the next block reads and this one does not
    };
    [[nodiscard]] std::span<const std::uint64_t> inBuffer(std::size_t group, const analysis::Buffer& buffer) const;
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

/// Bytes that DRAM reads again because blocks read what others of another place read with other loads, as a matrix and
/// its transpose of the same buffer: as far as what is moved between the two uses, for some blocks of the grid, is more
/// than the L2 keeps.
[[nodiscard]] double bytesReadByOtherLoads(const Footprint& footprint, const BlockMoves& moves,
    const analysis::DeviceModel& device, const analysis::Traffic& traffic, std::span<const analysis::Buffer> buffers);

} // namespace coalescope::kernels
