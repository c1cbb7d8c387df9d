// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/open_sectors.h"

#include "kernels/experiment/block_loads.h"
#include "kernels/experiment/sector_parts.h"

#include <algorithm>
#include <bit>

namespace coalescope::kernels {

namespace {

constexpr std::uint32_t kWhole = ~std::uint32_t(0);

constexpr double kDrift = 0.5; ///< of a block's life, by which its warps get apart: from the DRAM reads of recorded launches

/// A part of a sector that one store writes.
struct TimedPart {
    SectorPart part;
    double moment = 0; ///< of the block's life, were all warps in step
};
using TimedParts = std::vector<TimedPart>;

/// What the stores of a block leave of a sector.
struct Filled {
    std::uint64_t sector = 0;
    std::uint32_t bytes = 0;
    double stores = 0, first = 0, last = 0;
    bool atOnce = false; ///< one store filled it

    [[nodiscard]] double share() const { return std::popcount(bytes) / double(analysis::kSectorBytes); }
};

std::vector<Filled> filledSectors(TimedParts& parts)
{
    std::ranges::sort(parts, {}, [](const TimedPart& timed) { return timed.part.sector; });
    std::vector<Filled> sectors;
    for (const auto& [part, moment] : parts) {
        if (sectors.empty() || sectors.back().sector != part.sector)
            sectors.push_back({ .sector = part.sector, .first = moment, .last = moment });
        Filled& sector = sectors.back();
        sector.bytes |= part.bytes;
        sector.stores += 1;
        sector.first = std::min(sector.first, moment);
        sector.last = std::max(sector.last, moment);
        sector.atOnce = sector.atOnce || part.bytes == kWhole;
    }
    return sectors;
}

/// The parts that a block's stores write, by groups of stores that move alike.
std::vector<TimedParts> timedParts(const analysis::BlockTrace& trace, const BlockMoves* moves)
{
    std::vector<TimedParts> groups(moves ? moves->groups() : 1);
    double longest = 0;
    for (const auto& warp : trace.warps)
        longest = std::max(longest, double(std::ranges::count_if(warp, isGlobalStore)));
    SectorParts parts;
    double turn = 0; // of the warp, in a step of all warps
    for (const auto& warp : trace.warps) {
        double step = turn;
        for (const analysis::TraceStep& access : warp) {
            if (!isGlobalStore(access))
                continue;
            parts.clear();
            appendParts(parts, access.access);
            TimedParts& group = groups[moves ? moves->groupOf()[access.instruction] : 0];
            for (const SectorPart& part : parts)
                group.push_back({ part, step / longest });
            step += 1;
        }
        turn += 1.0 / double(trace.warps.size());
    }
    return groups;
}

/// The stores of one block that move alike from block to block.
class StoreGroup {
public:
    explicit StoreGroup(TimedParts& parts)
        : m_sectors(filledSectors(parts))
    {
    }

    void addTo(OpenSectors& open, const BlockMoves* moves, std::size_t group) const
    {
        for (const Filled& sector : m_sectors) {
            const double stride = sector.bytes != kWhole && moves ? strideTo(sector, *moves, group) : 0;
            // Every block that writes a part of the sector counts it.
            open.betweenBlocks += (1 - sector.share()) * stride;
            if (stride > 1)
                open.apart += sector.share() * lifeShare(sector.stores / sector.share());
            else if (!sector.atOnce)
                open.inBlock += std::min(1.0, sector.last - sector.first + kDrift * lifeShare(sector.stores));
        }
    }

private:
    /// Between the first and the last of so many random moments.
    [[nodiscard]] static double lifeShare(double moments) { return (moments - 1) / (moments + 1); }
    /// How many blocks later one starts that fills more of a sector; 0: none.
    [[nodiscard]] double strideTo(const Filled& sector, const BlockMoves& moves, std::size_t group) const
    {
        for (std::size_t axis = 0; axis < moves.axes().size(); ++axis)
            if (neighbourFills(sector, moves.move(group, axis)))
                return moves.axes()[axis].stride;
        return 0;
    }
    [[nodiscard]] bool neighbourFills(const Filled& sector, std::int64_t move) const
    {
        const std::uint32_t filled
            = bytesOfShifted(sector.sector, move) | bytesOfShifted(sector.sector, -move);
        return move != 0 && (filled & ~sector.bytes) != 0;
    }
    /// Bytes of a sector that the block would fill if all its stores were moved.
    [[nodiscard]] std::uint32_t bytesOfShifted(std::uint64_t sector, std::int64_t move) const
    {
        const std::uint64_t first = sector * analysis::kSectorBytes - std::uint64_t(move);
        const unsigned offset = unsigned(first % analysis::kSectorBytes);
        const std::uint64_t both = bytesOf(first / analysis::kSectorBytes)
            | std::uint64_t(bytesOf(first / analysis::kSectorBytes + 1)) << analysis::kSectorBytes;
        return std::uint32_t(both >> offset);
    }
    [[nodiscard]] std::uint32_t bytesOf(std::uint64_t sector) const
    {
        const auto found = std::ranges::lower_bound(m_sectors, sector, {}, &Filled::sector);
        return found != m_sectors.end() && found->sector == sector ? found->bytes : 0;
    }

    std::vector<Filled> m_sectors; ///< in order
};

} // namespace

OpenSectors openSectors(const analysis::BlockTrace& trace, const BlockMoves* moves)
{
    OpenSectors open;
    std::vector<TimedParts> groups = timedParts(trace, moves);
    for (std::size_t group = 0; group < groups.size(); ++group)
        StoreGroup(groups[group]).addTo(open, moves, group);
    return open;
}

} // namespace coalescope::kernels
