// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/block_trace.h"
#include "kernels/experiment/copy_rounds.h"

#include <span>
#include <vector>

namespace coalescope::kernels {

/// What one block asks of global memory and how often its warps wait.
struct BlockShape {
    double loadSectors = 0; ///< asked for by all warps
    double distinctSectors = 0; ///< of those
    double storedSectorsLoaded = 0; ///< of the distinct ones, stored to before they are loaded
    double loadLines = 0, storeLines = 0; ///< distinct cache lines: what the L2 keeps
    double bothLines = 0; ///< of those, in both
    double loadPairs = 0; ///< distinct 64-byte pairs of sectors: what DRAM moves
    double loadRuns = 0, storeRuns = 0; ///< stretches of neighbouring pairs
    double storeSectors = 0; ///< distinct
    double partStoreSectors = 0; ///< distinct, none of whose stores fills the whole sector
    double loadBufferBytes = 0, storeBufferBytes = 0; ///< whole buffers that are touched
    struct Touched {
        double loads = 0;
        double sectors = 0, pairs = 0, lines = 0; ///< distinct, loaded
        double storeLines = 0; ///< distinct
        double middle = 0; ///< mean offset of the sectors touched, bytes
        double heldBytes = 0; ///< all that the blocks of the grid can read of it
        double poolLines = 0; ///< that each block draws from, where data say which lines it reads, and neighbours no other ones than
                              ///< those far apart; 0: none are known
    };
    std::vector<Touched> touched; ///< of each buffer
    bool goesPastL1 = false; ///< some loads always ask the L2
    double loadRounds = 0; ///< times a warp waits for global loads that nothing else hides
    double sharedRounds = 0; ///< the same for shared loads
    double localRounds = 0; ///< for loads from local memory
    double atomicRounds = 0; ///< for what atomics on global memory have found
    double barriers = 0; ///< a warp meets
    CopyRounds copies;
};

/// Buffers that all blocks together ask for so many times what they hold are shared: less often may be what is read at the
/// borders of blocks, of which narrow tiles have many.
inline constexpr double kOftenRead = 8;

/// How often the blocks ask for what a buffer holds, if each reads of it what one does.
[[nodiscard]] double timesRead(const BlockShape::Touched& reads, double blocks);

/// Reads a block's shape from its trace. Loads wait together until something needs them: a global
/// store, an atomic, a barrier, or the next turn of a loop.
[[nodiscard]] BlockShape blockShape(const analysis::BlockTrace& trace, std::span<const analysis::Buffer> buffers);

} // namespace coalescope::kernels
