// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/open_sectors.h"

#include "kernels/experiment/block_loads.h"
#include "kernels/experiment/sector_parts.h"

#include <algorithm>
#include <bit>

namespace coalescope::kernels {

namespace {

constexpr std::uint32_t kWhole = ~std::uint32_t(0);

/// What the stores of a block leave of a sector.
struct Filled {
    std::uint64_t sector = 0;
    std::uint32_t bytes = 0;
    double stores = 0;
    bool atOnce = false; ///< one store filled it

    [[nodiscard]] double share() const { return std::popcount(bytes) / double(analysis::kSectorBytes); }
};

std::vector<Filled> filledSectors(SectorParts& parts)
{
    std::ranges::sort(parts, {}, &SectorPart::sector);
    std::vector<Filled> sectors;
    for (const SectorPart& part : parts) {
        if (sectors.empty() || sectors.back().sector != part.sector)
            sectors.push_back({ .sector = part.sector });
        sectors.back().bytes |= part.bytes;
        sectors.back().stores += 1;
        sectors.back().atOnce = sectors.back().atOnce || part.bytes == kWhole;
    }
    return sectors;
}

/// The stores of one block that move alike from block to block.
class StoreGroup {
public:
    explicit StoreGroup(SectorParts& parts)
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
                open.inBlock += lifeShare(sector.stores);
        }
    }

private:
    /// Between the first and the last of so many moments.
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
    std::vector<SectorParts> parts(moves ? moves->groups() : 1);
    for (const auto& warp : trace.warps)
        for (const analysis::TraceStep& step : warp)
            if (isGlobalStore(step))
                appendParts(parts[moves ? moves->groupOf()[step.instruction] : 0], step.access);
    OpenSectors open;
    for (std::size_t group = 0; group < parts.size(); ++group)
        StoreGroup(parts[group]).addTo(open, moves, group);
    return open;
}

} // namespace coalescope::kernels
