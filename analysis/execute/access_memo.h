// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/decoded.h"

#include <array>

namespace coalescope::analysis {

/// What one global instruction of one warp has done in the blocks so far, as long as its lanes kept
/// their distances from each other.
///
/// Sectors, lines and alignment depend on these distances and on one lane's address modulo 128 bytes
/// only: it is enough to count how often each remainder was met.
struct AccessMemo {
    alignas(64) std::array<Word, 32> relative {}; ///< base of each lane minus the anchor's
    LaneMask lanes = 0; ///< 0: nothing is known yet
    int anchorLane = 0; ///< the first of the lanes
    Word first = 0; ///< the anchor's address when the distances were learnt
    Word lowest = 0; ///< least and greatest distance of an address from the anchor's
    Word highest = 0;
    Word windowStart = 0; ///< anchors in [start, start + size] keep every lane in the buffer
    Word windowSize = 0;
    std::size_t buffer = 0;
    std::array<std::uint64_t, 128> seen {}; ///< accesses, by the anchor's address modulo 128
};

} // namespace coalescope::analysis
