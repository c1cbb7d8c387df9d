// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/warp_access.h"
#include "analysis/result/error.h"

#include <vector>

namespace coalescope::analysis {

inline constexpr int kSectorBytes = 32;
inline constexpr int kCacheLineBytes = 128;

/// What one access to global or local memory asks of the L1TEX.
struct SectorReport {
    std::uint32_t requests = 0; ///< 1 where any lane is active; of local memory one for each word of a lane
    std::uint32_t sectors = 0; ///< distinct 32-byte sectors
    std::uint32_t tags = 0; ///< distinct 128-byte cache lines
    std::uint32_t idealSectors = 0; ///< sectors if the active lanes' bytes lay side by side, aligned, or, of local memory, if they
                                    ///< asked for the same element; at most `sectors`
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

/// A word of each lane in memory of its own: a line holds one of every lane, in their order.
inline constexpr std::uint64_t kLocalWordBytes = 4;

/// Words of each lane that an access to local memory moves; one of less than a word asks for one.
[[nodiscard]] std::uint64_t localWordsOf(const WarpAccess& access);

/// What an access to local memory asks for, one request after the other: a word of each lane, or less, its address from the begin
/// of the warp's local memory.
///
/// Source:  requests and sectors that an H200 (driver 580.159.04, 2026-11-22) counts for arrays of bytes, floats and doubles.
/// Checked: sector_model_test.cpp, local_words_test.cpp.
[[nodiscard]] std::vector<WarpAccess> localRequests(const WarpAccess& access);

/// The touched cache lines in address order; of local memory from the begin of the warp's.
[[nodiscard]] std::vector<TouchedLine> touchedLines(const WarpAccess& access);

} // namespace coalescope::analysis
