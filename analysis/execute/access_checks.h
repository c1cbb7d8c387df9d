// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/access_path.h"

#include <string>
#include <string_view>

namespace coalescope::analysis {

/// A block's number in the grid, x fastest.
[[nodiscard]] std::uint64_t orderOf(Dim3 grid, const std::array<std::int64_t, 3>& block);
[[nodiscard]] std::string threadName(Dim3 shape, std::uint32_t thread);
[[nodiscard]] std::string whoIs(const Warp& w, int lane, const std::array<std::int64_t, 3>& block);

/// Logs a hazard of one lane in block t of the box: "thread ... of block ... `what`".
void report(Warp& w, const Decoded& d, HazardKind kind, int lane,
    const std::array<std::int64_t, kMaxAxes>& t, const std::string& what);

/// Ends the run with an error of one lane in the box's first block: "thread ... of block ... `what`".
void stopAt(Warp& w, const Decoded& d, int lane, const std::string& what);

/// Checks alignment and bounds in every block of the box; returns the lanes that are in bounds.
[[nodiscard]] LaneMask checkAccess(
    Warp& w, const Decoded& d, const AccessPath& path, const AccessRequest& request);

} // namespace coalescope::analysis
