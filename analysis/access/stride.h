// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/warp_access.h"

#include <optional>

namespace coalescope::analysis {

/// The step from each lane's address to the next one's, where all lanes are active and it is the
/// same for all; modulo 2^64, so that a falling row has a step too. Most accesses of real kernels
/// have one.
[[nodiscard]] inline std::optional<std::uint64_t> constantStride(const WarpAccess& access)
{
    if (access.active != kAllLanes)
        return std::nullopt;
    const std::uint64_t stride = access.address[1] - access.address[0];
    std::uint64_t difference = 0;
    for (std::size_t lane = 1; lane + 1 < kWarpLanes; ++lane)
        difference |= (access.address[lane + 1] - access.address[lane]) ^ stride;
    return difference ? std::nullopt : std::optional(stride);
}

} // namespace coalescope::analysis
