// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/sector_model.h"
#include "analysis/access/warp_access.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coalescope::kernels {

inline constexpr std::uint64_t kLineSectors = analysis::kCacheLineBytes / analysis::kSectorBytes;
inline constexpr std::uint64_t kPairSectors = 2; ///< what DRAM moves

/// A sector with the bytes of it that one warp's access covers.
struct SectorPart {
    std::uint64_t sector = 0; ///< its address / 32
    std::uint32_t bytes = 0; ///< bit b: byte b
};
using SectorParts = std::vector<SectorPart>;

/// Appends the distinct sectors of one access, in order; its addresses moved by `shift` bytes.
void appendParts(SectorParts& parts, const analysis::WarpAccess& access, std::int64_t shift = 0);

/// Leaves each sector once, in order: the part that covers most of its bytes.
void keepDistinct(SectorParts& parts);

/// Groups of `size` neighbouring sectors that sorted parts lie in.
[[nodiscard]] double countGroups(std::span<const SectorPart> sorted, std::uint64_t size);

/// Stretches of neighbouring pairs that sorted parts lie in.
[[nodiscard]] double countRuns(const SectorParts& sorted);

} // namespace coalescope::kernels
