// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/access/warp_access.h"

#include <cstdint>
#include <optional>

namespace coalescope::app {

/// The regularity of a warp's addresses, in lane order over the active lanes.
struct Pattern {
    int lanes = 0; ///< active ones
    bool gaps = false; ///< an inactive lane lies between active ones
    std::uint64_t lowest = 0; ///< address
    std::uint64_t distinct = 0; ///< different addresses
    /// Every active lane's address minus the one before; nothing: not uniform, or one lane only.
    std::optional<std::int64_t> stride;
    /// Where there is no uniform stride: groups of `groupLanes` lanes with a uniform stride inside,
    /// and one distance from each group's first address to the next one's.
    int groupLanes = 0; ///< 0: no such groups
    std::int64_t groupInner = 0, groupOuter = 0;

    [[nodiscard]] bool broadcast() const { return lanes > 1 && distinct == 1; }
};

[[nodiscard]] Pattern patternOf(const analysis::WarpAccess& access);

/// The same access with its lanes `stride` bytes apart (groups of `groupLanes` lanes where not 0:
/// the groups are that far apart).
[[nodiscard]] analysis::WarpAccess respaced(
    const analysis::WarpAccess& access, const Pattern& pattern, std::int64_t stride);

} // namespace coalescope::app
