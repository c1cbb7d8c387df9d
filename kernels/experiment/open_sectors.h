// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/block_moves.h"

namespace coalescope::kernels {

/// What one block's stores leave half written in the L2, because no single store fills a sector.
struct OpenSectors {
    double followed = 0; ///< sectors that a warp stores to right after the warp before it
    double followedShifted = 0; ///< of those, where the two warps' first lanes store to different sectors: a block's rows
                                ///< are no multiples of a warp, or the other way round
    double followedLines = 0; ///< the same for lines
    double inBlock = 0; ///< half written at any moment of its life, of those that it fills alone or with the next block;
                        ///< while a warp goes on to its next store, each counts once for two stores that fill it
    double byOneWarp = 0; ///< of those, what one warp fills
    double inPlace = 0; ///< of those in the block, what it has loaded: they are whole in the L2
    double joined = 0; ///< sectors that L1 does not send on, since the same warp's next stores write more of them
    double filledByJoining = 0; ///< sectors that are whole then
    double holes = 0; ///< sectors that neither it nor a neighbour fills, nor has it loaded them
    double holesStoredAgain = 0; ///< of those, written by several stores
    double apart = 0; ///< the same of a round of loads: its share of those that it fills with other blocks
    double shared = 0; ///< its share of the sectors that it fills with other blocks than the next
    double betweenBlocks = 0; ///< left half written, times the blocks that start until others fill them
};

/// From the first to the last of n stores that fill a sector lie the turns of the warps between them and, as warps do
/// not stay in step, (n - 1) / (n + 1) of the time by which they get apart: what n random moments span on average.
/// The stores of one warp lie as far apart as its steps. While several go on to their next stores, all stores of the
/// others pass, n of which fill one sector: the DRAM reads of
/// transpose_naive_multi on an H200 grow with the steps between a sector's stores and with n.
/// `gapClocks`: from one of a warp's stores in turn to the next, by the machine code.
/// `loadsAreFirst`: the machine code loads everything before it stores, whatever the order of the PTX.
/// Which other blocks write the rest of a sector follows from how the stores move along the axes of the grid; without
/// `moves` no others do, and no sector counts as a hole: who fills it is not known. What the block has loaded is whole in
/// the L2: the DRAM reads of update_fields, which writes in place, are those of its loads alone.
///
/// Checked: open_sectors_test.cpp; in sum the DRAM reads of recorded launches, recorded_test.cpp.
[[nodiscard]] OpenSectors openSectors(const analysis::BlockTrace& trace, const BlockMoves* moves,
    bool loadsAreFirst = false, double gapClocks = 0);

} // namespace coalescope::kernels
