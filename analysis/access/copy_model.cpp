// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/copy_model.h"

#include "analysis/access/sector_model.h"

#include <algorithm>
#include <span>
#include <utility>

namespace coalescope::analysis {

namespace {

std::uint32_t distinctPairs(const WarpAccess& from, const WarpAccess& to, std::uint64_t bytes)
{
    std::array<std::pair<std::uint64_t, std::uint64_t>, kWarpLanes> pairs;
    std::size_t count = 0;
    for (LaneMask rest = from.active; rest != 0; rest &= rest - 1) {
        const auto lane = std::size_t(std::countr_zero(rest));
        pairs[count++] = { from.address[lane] / bytes, to.address[lane] / kSectorBytes };
    }
    const auto used = std::span(pairs).first(count);
    std::ranges::sort(used);
    return std::uint32_t(std::ranges::unique(used).begin() - used.begin());
}

} // namespace

CopyReport copyReport(const WarpAccess& from, const WarpAccess& to)
{
    return { distinctPairs(from, to, kCacheLineBytes), distinctPairs(from, to, kSectorBytes) };
}

} // namespace coalescope::analysis
