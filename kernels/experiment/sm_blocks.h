// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/block_accesses.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace coalescope::kernels {

/// A block of an SM: its accesses, or those of another and how far its own lie from them.
struct SmBlock {
    std::shared_ptr<const BlockAccesses> accesses;
    std::vector<std::int64_t> shifts; ///< of loads: bytes, one a group; empty: as `shift`
    std::int64_t shift = 0; ///< of stores: bytes
};

/// The blocks that one SM gets.
struct SmBlocks {
    std::vector<SmBlock>
        followed; ///< in the order in which they start; a whole number of waves or all
    std::span<const std::uint32_t> groupOf; ///< of a load's instruction
    std::size_t resident = 1; ///< at a time
    double apart = 0; ///< share of a block's turns that those are spread over; 0: all begin together
    bool eachWaveAlone = false; ///< finds nothing in L1: of longer blocks the first accesses are followed
    std::size_t all
        = 0; ///< the SM gets; those not followed are like the later half of the followed
};

/// What loads do not find in L1.
struct MissShares {
    double sectors = 1; ///< asked of the L2, over those that warps ask for
    double turns = 1; ///< of warps at loads that miss something, over all
};

/// What an SM's blocks do not find in its L1.
struct L1Misses {
    MissShares global, local;
    std::vector<double> ofGroups; ///< the same share of sectors for each group's loads; 1 where none are followed
    /// Of each load of local memory that misses: lines of whatever kind that the SM has asked for since the same one was last.
    std::vector<double> localSince;
};

/// Follows an SM's blocks through the whole of its L1, which is empty at first; the warps of resident blocks take turns. A block
/// gets the local memory of the one whose place it takes.
///
/// Of L1 and of the lines only one in `sampled` is followed: the same part of both, so that lines
/// come and go as in the whole; a warp then waits in a turn as often as for the one of its load instructions that is waited for most often.
[[nodiscard]] L1Misses l1Misses(const SmBlocks& blocks, std::size_t l1Lines, unsigned sampled);

} // namespace coalescope::kernels
