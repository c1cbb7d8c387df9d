// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/footprint.h"

#include "kernels/experiment/block_loads.h"
#include "kernels/experiment/sector_parts.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace coalescope::kernels {

namespace {

constexpr double kNearlyTheSame = 0.25; ///< of a block's sectors are fresh, or fewer
constexpr double kRounding = 0.05; ///< sectors at the borders of blocks: no re-reading

void keepDistinctSectors(std::vector<std::uint64_t>& sectors)
{
    if (!std::ranges::is_sorted(sectors))
        std::ranges::sort(sectors);
    sectors.erase(std::ranges::unique(sectors).begin(), sectors.end());
}

std::int64_t sectorsOf(std::int64_t bytes)
{
    return bytes >> 5; // rounds down, also below 0
}
static_assert(analysis::kSectorBytes == 1 << 5);

/// How many of sorted sectors, moved by `shift`, are among them.
std::size_t common(std::span<const std::uint64_t> sorted, std::int64_t shift)
{
    if (sorted.empty() || std::uint64_t(std::abs(shift)) > sorted.back() - sorted.front())
        return 0;
    std::size_t count = 0;
    auto at = sorted.begin();
    for (const std::uint64_t sector : sorted) {
        const std::uint64_t moved = sector + std::uint64_t(shift);
        while (at != sorted.end() && *at < moved)
            ++at;
        count += at != sorted.end() && *at == moved;
    }
    return count;
}

} // namespace

Footprint::Footprint(const analysis::BlockTrace& trace, const BlockMoves& moves)
    : m_axes(moves.axes().begin(), moves.axes().end())
    , m_parts(moves.groups())
{
    SectorParts parts;
    for (const auto& warp : trace.warps) {
        for (const analysis::TraceStep& step : warp) {
            if (!isGlobalLoad(step))
                continue;
            parts.clear();
            appendParts(parts, step.access);
            auto& sectors = m_parts[moves.groupOf()[step.instruction]].sectors;
            // A loop often wants what its last turn wanted: that much needs no sorting.
            const std::size_t before = sectors.size() - std::min(sectors.size(), parts.size());
            if (std::ranges::equal(std::span(sectors).subspan(before), parts, {}, {}, &SectorPart::sector))
                continue;
            for (const SectorPart& part : parts)
                sectors.push_back(part.sector);
        }
    }
    for (std::size_t group = 0; group < m_parts.size(); ++group) {
        Part& part = m_parts[group];
        keepDistinctSectors(part.sectors);
        for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
            const std::size_t same = common(part.sectors, sectorsOf(moves.move(group, axis)));
            part.fresh.push_back(1 - double(same) / double(part.sectors.size()));
            m_readsTheSame = m_readsTheSame || part.fresh.back() <= kNearlyTheSame;
        }
    }
}

/// How many times one block's sectors a window of blocks reads: along each of the first `axes` axes
/// the window has as many rows as it touches on average; rows are fresh or they lie over each other.
double Footprint::growth(const Part& part, std::size_t axes, double blocks) const
{
    if (axes == 0)
        return 1;
    const GridAxis& axis = m_axes[axes - 1];
    const double rows = std::min(axis.blocks, 1 + std::max(0.0, blocks - 1) / axis.stride);
    const double over = growth(part, axes - 1, std::min(blocks, axis.stride));
    const double apart = rows * growth(part, axes - 1, blocks / rows);
    return std::lerp(over, apart, part.fresh[axes - 1]);
}

double Footprint::sectors(double blocks) const
{
    double sum = 0;
    for (const Part& part : m_parts)
        sum += double(part.sectors.size()) * growth(part, m_axes.size(), blocks);
    return sum;
}

double Footprint::lines(std::size_t group) const
{
    double count = 0;
    std::uint64_t last = ~std::uint64_t(0);
    for (const std::uint64_t sector : m_parts[group].sectors) {
        count += sector / kLineSectors != last;
        last = sector / kLineSectors;
    }
    return count;
}

bool Footprint::meets(std::span<const std::int64_t> shifts) const
{
    for (std::size_t group = 0; group < m_parts.size(); ++group)
        if (common(m_parts[group].sectors, sectorsOf(shifts[group])) > 0)
            return true;
    return false;
}

double bytesReadAgain(const Footprint& footprint, const analysis::DeviceModel& device,
    const analysis::Traffic& traffic, double running)
{
    // DRAM moves pairs of sectors, and the L2 keeps whole lines: as many bytes a sector as in all.
    const double all = footprint.sectors(traffic.blocks);
    const double bytes = traffic.readBytes / all, lineBytes = traffic.readLineBytes / all;
    double window = std::min(running, traffic.blocks), read = footprint.sectors(window);
    double perBlock = read / window, again = 0;
    const double first = perBlock;
    while (window < traffic.blocks) {
        // What a window twice as long reads less per block was read in the first half of it.
        const double next = std::min(2 * window, traffic.blocks);
        const double nextRead = footprint.sectors(next);
        const double nextPerBlock = std::min(perBlock, (nextRead - read) / (next - window));
        const double since = read * lineBytes + traffic.writeLineBytes * window / traffic.blocks;
        if (perBlock - nextPerBlock > kRounding * first)
            again += (perBlock - nextPerBlock) * analysis::goneShare(device, since);
        window = next;
        read = nextRead;
        perBlock = nextPerBlock;
    }
    return again * traffic.blocks * bytes;
}

} // namespace coalescope::kernels
