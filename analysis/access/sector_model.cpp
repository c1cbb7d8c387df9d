// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/sector_model.h"

#include "analysis/access/stride.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <optional>

namespace coalescope::analysis {

namespace {

constexpr int kSectorsPerLine = kCacheLineBytes / kSectorBytes;

/// The cache lines that one warp touches, with the bytes asked for in each of their sectors.
class LineSet {
public:
    /// Adds `width` bytes at `address`, which lie in one sector.
    void add(std::uint64_t address, std::uint32_t width)
    {
        const std::uint64_t line = address / kCacheLineBytes;
        if (!m_count || m_lines[m_last] != line)
            m_last = find(line);
        std::uint32_t& used = m_used[m_last][address / kSectorBytes % kSectorsPerLine];
        const std::uint32_t bytes = ((std::uint64_t(1) << width) - 1) << (address % kSectorBytes);
        m_sectors += used ? 0 : 1;
        const std::uint32_t fresh = bytes & ~used;
        // Aligned pieces of one width coincide or are disjoint.
        m_usedBytes += fresh == bytes ? width : std::uint32_t(std::popcount(fresh));
        used |= bytes;
    }

    std::uint32_t lines() const { return m_count; }
    std::uint32_t sectors() const { return m_sectors; }
    std::uint32_t usedBytes() const { return m_usedBytes; }

private:
    std::uint32_t find(std::uint64_t line)
    {
        std::size_t slot = (line * 0x9e3779b97f4a7c15u) >> 58;
        while (m_slots[slot]) {
            if (m_lines[m_slots[slot] - 1] == line)
                return m_slots[slot] - 1;
            slot = (slot + 1) % m_slots.size();
        }
        m_lines[m_count] = line;
        m_used[m_count] = {};
        m_slots[slot] = std::uint8_t(m_count + 1);
        return m_count++;
    }

    std::array<std::uint8_t, 2 * kWarpLanes> m_slots {}; // index + 1 of a line, by hash
    std::array<std::uint64_t, kWarpLanes> m_lines;
    std::array<std::array<std::uint32_t, kSectorsPerLine>, kWarpLanes> m_used;
    std::uint32_t m_count = 0, m_last = 0, m_sectors = 0, m_usedBytes = 0;
};

Result<void> checkGlobal(const WarpAccess& access)
{
    if (access.space != Space::Global && access.space != Space::Local)
        return fail(ErrorCode::BadInput, "the sector model takes global and local accesses only");
    if (access.widthBytes > 16 || !std::has_single_bit(access.widthBytes))
        return fail(ErrorCode::UnsupportedWidth,
            fmt::format("an access of {} bytes a lane does not exist", access.widthBytes));
    if (!isAligned(access))
        return fail(ErrorCode::BadInput,
            fmt::format("a lane's address is no multiple of its {} bytes", access.widthBytes));
    return {};
}

/// Lanes side by side, or a line or more apart: known without a look at each.
std::optional<SectorReport> stridedReport(const WarpAccess& access)
{
    const auto stride = constantStride(access);
    if (!stride)
        return std::nullopt;
    const std::uint32_t bytes = kWarpLanes * access.widthBytes;
    const std::uint32_t ideal = (bytes + kSectorBytes - 1) / kSectorBytes;
    const std::uint64_t step = std::min(*stride, -*stride);
    if (*stride == access.widthBytes) {
        const std::uint64_t first = access.address[0], last = first + bytes - 1;
        return SectorReport { .requests = 1,
            .sectors = std::uint32_t(last / kSectorBytes - first / kSectorBytes + 1),
            .tags = std::uint32_t(last / kCacheLineBytes - first / kCacheLineBytes + 1),
            .idealSectors = ideal,
            .usedBytes = bytes };
    }
    // A wider step may wrap around the address space; no real one does.
    if (step >= kCacheLineBytes && step < std::uint64_t(1) << 56)
        return SectorReport { .requests = 1,
            .sectors = kWarpLanes,
            .tags = kWarpLanes,
            .idealSectors = ideal,
            .usedBytes = bytes };
    return std::nullopt;
}

void addTouched(std::vector<TouchedLine>& touched, const WarpAccess& access)
{
    for (LaneMask left = access.active; left; left &= left - 1) {
        const int lane = std::countr_zero(left);
        const std::uint64_t address = access.address[lane] / kCacheLineBytes * kCacheLineBytes;
        auto line = std::ranges::lower_bound(touched, address, {}, &TouchedLine::address);
        if (line == touched.end() || line->address != address) {
            line = touched.insert(line, TouchedLine { .address = address });
            line->lane.fill(-1);
        }
        const int first = int(access.address[lane] % kCacheLineBytes);
        line->sectorMask |= std::uint8_t(1u << (first / kSectorBytes));
        for (int byte = first; byte < first + access.widthBytes; ++byte) {
            line->usedBytes[byte / kSectorBytes] |= 1u << (byte % kSectorBytes);
            if (line->lane[byte] < 0)
                line->lane[byte] = std::int8_t(lane);
        }
    }
}

SectorReport localReport(const WarpAccess& access)
{
    constexpr LaneMask kLanesOfASector = (1u << (kSectorBytes / kLocalWordBytes)) - 1;
    SectorReport all;
    for (const WarpAccess& request : localRequests(access)) {
        const SectorReport report = sectorReport(request).value();
        all.requests += report.requests;
        all.sectors += report.sectors;
        all.tags += report.tags;
        all.usedBytes += report.usedBytes;
        for (LaneMask left = access.active; left != 0; left >>= kSectorBytes / kLocalWordBytes)
            all.idealSectors += (left & kLanesOfASector) != 0;
    }
    return all;
}

} // namespace

std::uint64_t localWordsOf(const WarpAccess& access) { return std::max<std::uint64_t>(1, access.widthBytes / kLocalWordBytes); }

std::vector<WarpAccess> localRequests(const WarpAccess& access)
{
    const std::uint64_t words = localWordsOf(access);
    WarpAccess request = access;
    request.space = Space::Global;
    request.widthBytes = std::uint8_t(std::min<std::uint64_t>(access.widthBytes, kLocalWordBytes));
    std::vector<WarpAccess> requests(words, request);
    for (std::uint64_t word = 0; word < words; ++word)
        for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
            requests[word].address[lane] = (access.address[lane] / kLocalWordBytes + word) * kCacheLineBytes + lane * kLocalWordBytes
                + access.address[lane] % kLocalWordBytes;
    return requests;
}

Result<SectorReport> sectorReport(const WarpAccess& access)
{
    if (auto modelled = checkGlobal(access); !modelled)
        return std::unexpected(std::move(modelled.error()));
    if (access.space == Space::Local)
        return localReport(access);
    if (const auto strided = stridedReport(access))
        return *strided;
    LineSet lines;
    for (LaneMask left = access.active; left; left &= left - 1)
        lines.add(access.address[std::countr_zero(left)], access.widthBytes);
    const std::uint32_t bytes = std::uint32_t(std::popcount(access.active)) * access.widthBytes;
    // Lanes that share a word count each for itself, but never for more than is touched.
    const std::uint32_t sideBySide = (bytes + kSectorBytes - 1) / kSectorBytes;
    return SectorReport {
        .requests = access.active ? 1u : 0u,
        .sectors = lines.sectors(),
        .tags = lines.lines(),
        .idealSectors = std::min(lines.sectors(), sideBySide),
        .usedBytes = lines.usedBytes(),
    };
}

std::vector<TouchedLine> touchedLines(const WarpAccess& access)
{
    std::vector<TouchedLine> touched;
    if (!checkGlobal(access))
        return touched;
    if (access.space == Space::Global)
        addTouched(touched, access);
    else
        for (const WarpAccess& request : localRequests(access))
            addTouched(touched, request);
    return touched;
}

} // namespace coalescope::analysis
