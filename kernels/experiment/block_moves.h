// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/block_trace.h"
#include "analysis/grid/grid_totals.h"
#include "kernels/experiment/block_accesses.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace coalescope::kernels {

/// One direction in which the grid's blocks follow each other.
struct GridAxis {
    double blocks = 1; ///< along it
    double stride = 1; ///< from one to the next, in the order in which blocks start
};

/// True for the accesses whose moves are asked for.
using AccessFilter = bool (*)(const analysis::TraceStep&);

/// Where the loads, or the stores, of every block lie, told from those of one traced block and from how they move.
///
/// Contract: exact for the blocks of the box that GridTotals::moves describes, taken to go on like
/// that beyond it.
class BlockMoves {
public:
    /// Nothing where blocks were executed each for itself, or one of them moves in no regular way.
    [[nodiscard]] static std::optional<BlockMoves> of(const analysis::GridTotals& totals,
        analysis::Dim3 grid, const analysis::BlockTrace& trace, AccessFilter wanted = isGlobalLoad);

    /// False where it is not known how blocks move along one of the grid's dimensions.
    [[nodiscard]] bool coversGrid() const { return m_coversGrid; }
    [[nodiscard]] std::size_t groups() const { return m_moves.size(); }
    /// Accesses of one group move alike; by instruction.
    [[nodiscard]] std::span<const std::uint32_t> groupOf() const { return m_groupOf; }
    /// Bytes from the traced block's accesses to those of another, one a group. Blocks are numbered in
    /// the order in which they start: x first, then y, then z.
    [[nodiscard]] std::vector<std::int64_t> shifts(std::uint64_t block) const;
    /// In ascending stride.
    [[nodiscard]] std::span<const GridAxis> axes() const { return m_axes; }
    /// Bytes from one block to the next along an axis.
    [[nodiscard]] std::int64_t move(std::size_t group, std::size_t axis) const
    {
        return m_moves[group][axis];
    }
    /// Whether the accesses of a group are the same in every block.
    [[nodiscard]] bool isEveryBlocks(std::size_t group) const
    {
        return std::ranges::all_of(m_moves[group].begin(), m_moves[group].begin() + std::ptrdiff_t(m_axes.size()),
            [](std::int64_t move) { return move == 0; });
    }

private:
    using Steps = std::array<std::int64_t, analysis::kMaxAxes>; ///< along each axis

    [[nodiscard]] Steps stepsTo(std::array<std::int64_t, 3> block) const;

    analysis::Dim3 m_grid;
    bool m_coversGrid = false;
    std::vector<GridAxis> m_axes;
    std::vector<analysis::Axis> m_lattice; ///< the same axes
    std::array<std::int64_t, 3> m_origin {}, m_traced {};
    std::vector<Steps> m_moves; ///< [group]
    std::vector<std::uint32_t> m_groupOf;
};

} // namespace coalescope::kernels
