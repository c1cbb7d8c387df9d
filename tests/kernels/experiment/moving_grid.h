// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/footprint.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace coalescope {

inline constexpr std::uint64_t kA = 0x1'0000'0000, kB = 0x2'0000'0000; ///< where two buffers begin

/// A load of one instruction: where the traced block's lies, and how many bytes it moves along x
/// and y.
struct MovingLoad {
    std::uint64_t address = 0;
    std::int64_t alongX = 0, alongY = 0;
    std::uint64_t lines = 1;
};

/// Block (0, 0) of a grid that is one box.
class MovingGrid {
public:
    MovingGrid(analysis::Dim3 grid, const std::vector<MovingLoad>& loads, std::size_t followed = ~std::size_t(0))
    {
        analysis::GridTotals totals { .moves
            = analysis::GridMoves { .box = wholeGrid(grid), .instructions = {} } };
        m_trace.block = { 0, 0, 0 };
        auto& steps = m_trace.warps.emplace_back();
        for (const MovingLoad& load : loads) {
            const auto instruction = std::uint32_t(totals.moves->instructions.size());
            totals.moves->instructions.push_back(
                analysis::GridMoves::Move { load.alongX, load.alongY });
            for (std::uint64_t line = 0; line < load.lines; ++line) {
                analysis::TraceStep step { .instruction = instruction };
                step.access.active = analysis::kAllLanes;
                for (std::size_t lane = 0; lane < 32; ++lane)
                    step.access.address[lane] = load.address + line * 128 + lane * 4;
                steps.push_back(step);
            }
        }
        m_moves = kernels::BlockMoves::of(totals, grid, m_trace);
        EXPECT_TRUE(m_moves);
        m_footprint.emplace(kernels::BlockAccesses(m_trace, followed), *m_moves);
    }
    [[nodiscard]] const kernels::Footprint& footprint() const { return *m_footprint; }
    [[nodiscard]] const kernels::BlockMoves& moves() const { return *m_moves; }

private:
    analysis::BlockTrace m_trace;
    std::optional<kernels::BlockMoves> m_moves;
    std::optional<kernels::Footprint> m_footprint;
};

} // namespace coalescope
