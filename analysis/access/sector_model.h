// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/warp_access.h"
#include "analysis/result/error.h"

#include <vector>

namespace coalescope::analysis {

inline constexpr int kSectorBytes = 32;
inline constexpr int kCacheLineBytes = 128;

/// What one global access asks of the L1TEX.
struct SectorReport {
    std::uint32_t requests = 0; ///< 1 where any lane is active
    std::uint32_t sectors = 0; ///< distinct 32-byte sectors
    std::uint32_t tags = 0; ///< distinct 128-byte cache lines
    std::uint32_t idealSectors = 0; ///< sectors if the active lanes' bytes lay side by side, aligned; at most `sectors`
    std::uint32_t usedBytes = 0; ///< distinct bytes asked for

    bool operator==(const SectorReport&) const = default;
};

/// One touched cache line, for the views.
struct TouchedLine {
    std::uint64_t address = 0; ///< of the line's first byte
    std::uint8_t sectorMask = 0; ///< bit s: sector s of the line is moved
    std::array<std::uint32_t, 4> usedBytes {}; ///< bit b of entry s: byte b of sector s was asked for
    std::array<std::int8_t, 128> lane {}; ///< first lane that asks for each byte; -1: none
};

[[nodiscard]] Result<SectorReport> sectorReport(const WarpAccess& access);

/// The touched cache lines in address order.
[[nodiscard]] std::vector<TouchedLine> touchedLines(const WarpAccess& access);

} // namespace coalescope::analysis
