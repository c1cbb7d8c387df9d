// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/warp.h"

namespace coalescope::analysis {

/// Tells the mbarrier at a shared address of bytes that have come. False where the block has to stop.
[[nodiscard]] bool completeTransfer(Warp& w, const Decoded& d, int lane, std::uint64_t address, std::uint32_t bytes);

} // namespace coalescope::analysis
