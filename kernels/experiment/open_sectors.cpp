// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/open_sectors.h"

#include "kernels/experiment/block_loads.h"
#include "kernels/experiment/sector_parts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace coalescope::kernels {

namespace {

constexpr std::uint32_t kWhole = ~std::uint32_t(0);

// Of a block's life, from the DRAM reads of recorded launches.
constexpr double kDrift = 0.5; ///< by which its warps get apart
constexpr double kStepOfAStore = 0.5; ///< so much longer a step lasts for each store that fills a sector
constexpr double kApart = 0.9; ///< by which blocks do that do not start one after the other

/// A part of a sector that one store writes.
struct TimedPart {
    SectorPart part;
    std::uint32_t step = 0, warp = 0; ///< the warp's so many-th store
    std::uint64_t first = 0; ///< sector of the store's first lane
};
using TimedParts = std::vector<TimedPart>;

/// What the stores of a block leave of a sector.
struct Filled {
    std::uint64_t sector = 0;
    std::uint32_t bytes = 0;
    double stores = 0;
    double first = 0, last = 0; ///< store, in turns of all warps
    bool atOnce = false; ///< one store filled it
    std::uint32_t warp = 0; ///< that stored first
    bool byOneWarp = true;

    [[nodiscard]] double share() const { return std::popcount(bytes) / double(analysis::kSectorBytes); }
};

std::vector<Filled> filledSectors(TimedParts& parts, double warps)
{
    std::ranges::sort(parts, {}, [](const TimedPart& timed) {
        return std::tuple(timed.part.sector, timed.step, timed.warp);
    });
    std::vector<Filled> sectors;
    for (const TimedPart& timed : parts) {
        const SectorPart& part = timed.part;
        const double moment = timed.step + timed.warp / warps;
        if (sectors.empty() || sectors.back().sector != part.sector)
            sectors.push_back({ .sector = part.sector, .first = moment, .warp = timed.warp });
        Filled& sector = sectors.back();
        sector.bytes |= part.bytes;
        sector.stores += 1;
        sector.last = moment;
        sector.atOnce = sector.atOnce || part.bytes == kWhole;
        sector.byOneWarp = sector.byOneWarp && timed.warp == sector.warp;
    }
    return sectors;
}

std::uint64_t firstSector(const analysis::WarpAccess& access)
{
    return access.active == 0 ? 0 : access.address[std::size_t(std::countr_zero(access.active))] / analysis::kSectorBytes;
}

/// The parts that a block's stores write, by groups of stores that move alike.
std::vector<TimedParts> timedParts(const analysis::BlockTrace& trace, const BlockMoves* moves)
{
    std::vector<TimedParts> groups(moves ? moves->groups() : 1);
    SectorParts parts;
    for (std::uint32_t warp = 0; warp < trace.warps.size(); ++warp) {
        std::uint32_t step = 0;
        for (const analysis::TraceStep& access : trace.warps[warp]) {
            if (!isGlobalStore(access))
                continue;
            parts.clear();
            appendParts(parts, access.access);
            TimedParts& group = groups[moves ? moves->groupOf()[access.instruction] : 0];
            const std::uint64_t first = firstSector(access.access);
            for (const SectorPart& part : parts)
                group.push_back({ part, step, warp, first });
            ++step;
        }
    }
    return groups;
}

struct Followed {
    double all = 0;
    double shifted = 0; ///< by a warp whose first lane stores elsewhere
};

/// Groups of so many sectors that a warp stores to right after the warp before it, in the same step.
Followed followed(const TimedParts& parts, std::uint64_t sectors)
{
    using Store = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t>; // group, step, warp, first
    std::vector<Store> stores;
    stores.reserve(parts.size());
    for (const TimedPart& timed : parts)
        stores.emplace_back(timed.part.sector / sectors, timed.step, timed.warp, timed.first / sectors);
    std::ranges::sort(stores);
    stores.erase(std::ranges::unique(stores).begin(), stores.end());
    Followed count;
    for (std::size_t i = 1; i < stores.size(); ++i) {
        const auto [group, step, warp, first] = stores[i - 1];
        const auto& [nextGroup, nextStep, nextWarp, nextFirst] = stores[i];
        if (group != nextGroup || step != nextStep || warp + 1 != nextWarp)
            continue;
        count.all += 1;
        count.shifted += first != nextFirst;
    }
    return count;
}

double longestWarp(const analysis::BlockTrace& trace)
{
    std::ptrdiff_t stores = 0;
    for (const auto& warp : trace.warps)
        stores = std::max(stores, std::ranges::count_if(warp, isGlobalStore));
    return double(stores);
}

/// The stores of one block that move alike from block to block.
class StoreGroup {
public:
    /// `steps`: stores of a warp, at most.
    StoreGroup(TimedParts& parts, double warps, double steps)
        : m_sectors(filledSectors(parts, warps))
        , m_steps(steps)
    {
    }

    void addTo(OpenSectors& open, const BlockMoves* moves, std::size_t group) const
    {
        for (const Filled& sector : m_sectors) {
            const double stride = sector.bytes != kWhole && moves ? strideTo(sector, *moves, group) : 0;
            // Every block that writes a part of the sector counts it.
            open.betweenBlocks += (1 - sector.share()) * stride;
            if (stride > 1) {
                open.shared += sector.share();
                open.apart += sector.share() * (kApart + kDrift * lifeShare(sector.stores / sector.share()));
            } else if (!sector.atOnce) {
                const double drift = sector.byOneWarp ? 0 : kDrift * lifeShare(sector.stores);
                open.inBlock += between(sector) + drift;
                open.byOneWarp += sector.byOneWarp ? between(sector) : 0;
            }
        }
    }

private:
    /// From the first to the last store, of the block's life; steps of the warps last as long as the stores that pass.
    [[nodiscard]] double between(const Filled& sector) const
    {
        const double steps = std::floor(sector.last) - std::floor(sector.first);
        const double step = sector.byOneWarp ? 1 : kStepOfAStore * sector.stores;
        return (sector.last - sector.first + steps * (step - 1)) / m_steps;
    }
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
    double m_steps;
};

} // namespace

OpenSectors openSectors(const analysis::BlockTrace& trace, const BlockMoves* moves)
{
    OpenSectors open;
    std::vector<TimedParts> groups = timedParts(trace, moves);
    const double warps = double(trace.warps.size()), steps = longestWarp(trace);
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const Followed sectors = followed(groups[group], 1);
        open.followed += sectors.all;
        open.followedShifted += sectors.shifted;
        open.followedLines += followed(groups[group], kLineSectors).all;
        StoreGroup(groups[group], warps, steps).addTo(open, moves, group);
    }
    return open;
}

} // namespace coalescope::kernels
