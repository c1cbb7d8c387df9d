// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/block_trace.h"

namespace coalescope::kernels {

/// How a block works through what it copies asynchronously, of the warp that waits most often.
struct CopyRounds {
    int rounds = 0; ///< times it waits for copies
    int ahead = 0; ///< rounds that it works between asking for copies and waiting for them: 0 where it waits at once
    bool storesLast = false; ///< it changes global memory after its last wait only
};

/// Of groups of cp.async: rounds in which the warp loads from shared memory between asking for copies and waiting for them, at
/// most. Where mbarriers tell of copies: one less than there are such barriers, for other warps may do the asking.
[[nodiscard]] CopyRounds copyRounds(const analysis::BlockTrace& trace);

} // namespace coalescope::kernels
