// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/access/warp_access.h"

#include <functional>

namespace coalescope::app {

/// A warp access from a rule for its lanes' addresses.
inline analysis::WarpAccess makeAccess(analysis::Space space, analysis::MemoryOp op, int widthBytes,
    const std::function<std::uint64_t(std::uint64_t lane)>& address,
    analysis::LaneMask active = analysis::kAllLanes)
{
    analysis::WarpAccess access {
        .space = space, .op = op, .widthBytes = std::uint8_t(widthBytes), .active = active
    };
    for (std::uint64_t lane = 0; lane < analysis::kWarpLanes; ++lane)
        access.address[lane] = address(lane);
    return access;
}

inline analysis::WarpAccess globalLoad(int widthBytes,
    const std::function<std::uint64_t(std::uint64_t)>& offset,
    analysis::LaneMask active = analysis::kAllLanes)
{
    return makeAccess(
        analysis::Space::Global, analysis::MemoryOp::Load, widthBytes,
        [&](std::uint64_t lane) { return 0x7f0000007000u + offset(lane); }, active);
}

inline analysis::WarpAccess sharedLoad(int widthBytes,
    const std::function<std::uint64_t(std::uint64_t)>& offset,
    analysis::LaneMask active = analysis::kAllLanes)
{
    return makeAccess(
        analysis::Space::Shared, analysis::MemoryOp::Load, widthBytes, offset, active);
}

} // namespace coalescope::app
