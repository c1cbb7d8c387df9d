// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/block_moves.h"

namespace coalescope::kernels {

/// Sectors that lie half written in the L2 because no single store fills them.
struct OpenSectors {
    double inBlock = 0; ///< of one block at any moment of its life: those that it fills alone, or with the next
    double betweenBlocks = 0; ///< begun by a block, times the blocks that start until others complete them
    double apart = 0; ///< a block's share, at any moment of a round of loads, of those that it fills with other blocks
};

/// Stores reach a sector at random moments of their blocks' lives: from the first to the last of n lie
/// (n - 1) / (n + 1) of it on average. Which other blocks write the rest of a sector follows from how the stores
/// move along the axes of the grid; without `moves` no others do.
[[nodiscard]] OpenSectors openSectors(const analysis::BlockTrace& trace, const BlockMoves* moves);

} // namespace coalescope::kernels
