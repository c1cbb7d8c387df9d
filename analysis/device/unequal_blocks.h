// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace coalescope::analysis {

/// How fast blocks of average work get on. Units: nanoseconds.
struct BlockPace {
    double startNs = 0; ///< from one start to the next of a pool
    double leadNs = 0; ///< from a block's start until it gets on
    double aloneNs = 0; ///< then, for one that is alone
    double sharedNs = 0; ///< a pool needs for each of many
    int pools = 1; ///< of blocks that share what is short: as many as SMs, or one, where it is the chip's
    int slots = 1; ///< of a pool
};

/// How much longer blocks of different work take than as many of average work, which are given to whichever SM has a place, in their
/// order: at the end some SMs have nothing left to do, and a launch is not over before its longest block. At least 1, also where waves of
/// equal blocks would end less well.
///
/// Shapes:  work of each block, in any unit.
/// Source:  blocks start in order as others leave; recorded H200 launches of triangle_count and voxel_rays (docs/models.md).
/// Checked: unequal_blocks_test.cpp.
[[nodiscard]] double unequalBlocks(std::span<const std::uint32_t> work, const BlockPace& pace);

} // namespace coalescope::analysis
