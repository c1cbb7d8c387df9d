// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/reading/pattern.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

namespace coalescope::app {
namespace {

using analysis::kWarpLanes;

std::int64_t distance(std::uint64_t from, std::uint64_t to) { return std::int64_t(to - from); }

/// The one distance between addresses that are `step` apart in the list; nothing where it varies.
std::optional<std::int64_t> uniform(std::span<const std::uint64_t> addresses, std::size_t step)
{
    std::optional<std::int64_t> found;
    for (std::size_t i = step; i < addresses.size(); i += step) {
        const std::int64_t here = distance(addresses[i - step], addresses[i]);
        if (found && *found != here)
            return {};
        found = here;
    }
    return found;
}

/// Fills the groups where the addresses have two levels.
void findGroups(Pattern& pattern, std::span<const std::uint64_t> addresses)
{
    // Groups are whole in the warp's lanes: only a contiguous run from lane 0 has them.
    for (const std::size_t size : { 16u, 8u, 4u, 2u }) {
        if (addresses.size() % size != 0 || addresses.size() <= size)
            continue;
        const auto inner = uniform(addresses.first(size), 1);
        const auto outer = uniform(addresses, size);
        bool same = inner && outer;
        for (std::size_t first = size; same && first < addresses.size(); first += size)
            same = uniform(addresses.subspan(first, size), 1) == inner;
        if (!same)
            continue;
        pattern.groupLanes = int(size);
        pattern.groupInner = *inner;
        pattern.groupOuter = *outer;
        return;
    }
}

} // namespace

Pattern patternOf(const analysis::WarpAccess& access)
{
    Pattern pattern;
    std::array<std::uint64_t, kWarpLanes> list {};
    std::size_t count = 0;
    for (int lane = 0; lane < kWarpLanes; ++lane)
        if (access.active >> lane & 1)
            list[count++] = access.address[std::size_t(lane)];
    pattern.lanes = int(count);
    if (count == 0)
        return pattern;
    const std::span addresses(list.data(), count);
    const int first = std::countr_zero(access.active), last = 31 - std::countl_zero(access.active);
    pattern.gaps = last - first + 1 != int(count);
    pattern.stride = uniform(addresses, 1);
    if (!pattern.stride && !pattern.gaps && first == 0)
        findGroups(pattern, addresses);
    std::array sorted = list;
    std::sort(sorted.begin(), sorted.begin() + std::ptrdiff_t(count));
    pattern.lowest = sorted[0];
    pattern.distinct = std::uint64_t(
        std::unique(sorted.begin(), sorted.begin() + std::ptrdiff_t(count)) - sorted.begin());
    return pattern;
}

analysis::WarpAccess respaced(
    const analysis::WarpAccess& access, const Pattern& pattern, std::int64_t stride)
{
    analysis::WarpAccess moved = access;
    const bool grouped = pattern.groupLanes > 0;
    int index = 0;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        if (!(access.active >> lane & 1))
            continue;
        const std::int64_t offset = grouped
            ? index / pattern.groupLanes * stride + index % pattern.groupLanes * pattern.groupInner
            : index * stride;
        // From far enough up that a falling stride stays positive.
        moved.address[std::size_t(lane)] = (std::uint64_t(1) << 32) + std::uint64_t(offset);
        ++index;
    }
    return moved;
}

} // namespace coalescope::app
