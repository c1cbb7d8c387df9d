// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/box.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace coalescope::analysis {

/// How many warp instructions each block of a grid issues: all of a box as many as its first.
class IssuedByBlocks {
public:
    static constexpr std::uint64_t kMostBlocks = 65536; ///< of larger grids nothing is kept

    explicit IssuedByBlocks(Dim3 grid)
        : m_grid(grid)
    {
    }
    void add(const Box& box, std::uint64_t warpInstructions);
    void merge(const IssuedByBlocks& other);
    /// One a block, in the order in which they start; empty where the busiest issues little more than the average.
    [[nodiscard]] std::vector<std::uint32_t> unequal() const;

private:
    Dim3 m_grid;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_singles; ///< a block's place, what it issues
    std::vector<std::pair<Box, std::uint32_t>> m_boxes;
};

} // namespace coalescope::analysis
