// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/warp_access.h"
#include "analysis/result/error.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace coalescope::cli {

/// The counters shown for one access, in the order shown.
enum class AccessColumn { Requests, Sectors, Tags, Wavefronts, WavefrontsSass, Conflicts, Count };

inline constexpr std::size_t kAccessColumns = std::size_t(AccessColumn::Count);

inline constexpr std::array<std::string_view, kAccessColumns> kAccessColumnNames { "requests",
    "sectors", "tags", "wavefronts", "wavefronts_sass", "conflicts" };

/// A value a column; absent where no model of ours is confirmed for this kind of access.
using AccessCounts = std::array<std::optional<std::uint32_t>, kAccessColumns>;

/// One access as the user describes it. Empty texts: not said.
struct AccessText {
    std::string_view space, op, width, offsets;
};

/// What one access counts. Columns of the space that it does not touch are 0.
///
/// Errors: BadInput with the member of AccessText that is wrong as the place.
[[nodiscard]] Result<AccessCounts> countAccess(const AccessText& text);

} // namespace coalescope::cli
