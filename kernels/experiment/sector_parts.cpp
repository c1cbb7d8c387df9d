// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/sector_parts.h"

#include <algorithm>
#include <bit>

namespace coalescope::kernels {

namespace {
constexpr std::uint64_t kSector = analysis::kSectorBytes;
}

void appendParts(SectorParts& parts, const analysis::WarpAccess& access, std::int64_t shift)
{
    const std::size_t begin = parts.size();
    for (std::uint32_t lanes = access.active; lanes != 0; lanes &= lanes - 1) {
        const std::uint64_t first
            = access.address[std::size_t(std::countr_zero(lanes))] + std::uint64_t(shift);
        const std::uint64_t end = first + access.widthBytes;
        for (std::uint64_t s = first / kSector; s <= (end - 1) / kSector; ++s) {
            const std::uint64_t from = std::max(first, s * kSector) - s * kSector;
            const std::uint64_t to = std::min(end, (s + 1) * kSector) - s * kSector;
            const auto bytes = std::uint32_t((std::uint64_t(1) << to) - (std::uint64_t(1) << from));
            if (parts.size() > begin && parts.back().sector == s)
                parts.back().bytes |= bytes;
            else
                parts.push_back({ s, bytes });
        }
    }
    const auto own = parts.begin() + std::ptrdiff_t(begin);
    if (own == parts.end())
        return;
    if (!std::ranges::is_sorted(own, parts.end(), {}, &SectorPart::sector))
        std::ranges::sort(own, parts.end(), {}, &SectorPart::sector);
    auto last = own;
    for (auto part = own + 1; part != parts.end(); ++part) {
        if (part->sector == last->sector)
            last->bytes |= part->bytes;
        else
            *++last = *part;
    }
    parts.erase(last + 1, parts.end());
}

void keepDistinct(SectorParts& parts)
{
    std::ranges::sort(parts, [](const SectorPart& a, const SectorPart& b) {
        return a.sector != b.sector ? a.sector < b.sector
                                    : std::popcount(a.bytes) > std::popcount(b.bytes);
    });
    parts.erase(std::ranges::unique(parts, {}, &SectorPart::sector).begin(), parts.end());
}

double countGroups(std::span<const SectorPart> sorted, std::uint64_t size)
{
    double count = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i)
        count += i == 0 || sorted[i].sector / size != sorted[i - 1].sector / size;
    return count;
}

double countRuns(const SectorParts& sorted)
{
    const auto pair = [&](std::size_t i) { return sorted[i].sector / kPairSectors; };
    double count = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i)
        count += i == 0 || pair(i) > pair(i - 1) + 1;
    return count;
}

} // namespace coalescope::kernels
