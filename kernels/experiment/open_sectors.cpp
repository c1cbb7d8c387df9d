// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/open_sectors.h"

#include "kernels/experiment/block_accesses.h"
#include "kernels/experiment/sector_parts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <span>
#include <tuple>

namespace coalescope::kernels {

namespace {

constexpr std::uint32_t kWhole = ~std::uint32_t(0);

// Of a block's life, from the DRAM reads of recorded launches.
constexpr double kDrift = 0.5; ///< by which its warps get apart
constexpr double kStepOfAStore = 0.5; ///< so much longer a step lasts for each store that fills a sector
constexpr double kApart = 0.9; ///< by which blocks do that do not start one after the other

/// Of the stores that a warp makes right after each other to the same sectors, L1 sends on one where they write few sectors
/// in all: from l1tex__m_l1tex2xbar_write_sectors of structures of 2 to 12 floats that a warp of an H200 (driver 580.159.04,
/// 2026-11-22) has read and writes back field by field.
struct Joined {
    double sectors, share;
};
constexpr std::array kJoinedInBurst { Joined { 16, 1 }, Joined { 24, 0.91 }, Joined { 32, 0.41 }, Joined { 48, 0.2 }, Joined { 64, 0 } };
/// Fewer where warps have nothing to wait for before they store, and all store at once: 12 launches of 2 to 7 of 3 to 16 words on an
/// H100 (same driver, 2026-11-25).
constexpr std::array kJoinedUnread { Joined { 1, 1 }, Joined { 12, 0.93 }, Joined { 16, 0.9 }, Joined { 20, 0.65 }, Joined { 32, 0.17 }, Joined { 64, 0 } };
constexpr int kWideBytes = 8;
constexpr double kWideSectors = 24; ///< of lanes with 8 or 16 bytes none were there where they stored to more sectors: 8 launches, as before

/// Stores of a warp with nothing else of memory between them, and no turn of a loop that goes on to other sectors.
struct Burst {
    double sectors = 0; ///< distinct
    bool hasRead = false; ///< the warp, before
    bool isWide = false; ///< 8 bytes a lane, or more
};

double joinedInBurst(const Burst& burst)
{
    const std::span<const Joined> table = burst.hasRead ? std::span<const Joined>(kJoinedInBurst) : kJoinedUnread;
    if (!burst.hasRead && burst.isWide && burst.sectors > kWideSectors)
        return 0;
    const auto next = std::ranges::find_if(table, [&](const Joined& row) { return burst.sectors <= row.sectors; });
    if (next == table.begin() || next == table.end())
        return next == table.end() ? 0 : next->share;
    const Joined& last = *std::prev(next);
    return std::lerp(last.share, next->share, (burst.sectors - last.sectors) / (next->sectors - last.sectors));
}

/// A part of a sector that one store writes.
struct TimedPart {
    SectorPart part;
    std::uint32_t step = 0, warp = 0; ///< the warp's so many-th store
    std::uint32_t burst = 0; ///< stores of a warp with nothing else of memory between them
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
    std::uint32_t warp = 0, burst = 0; ///< that stored first
    bool byOneWarp = true, inOneBurst = true;

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
            sectors.push_back({ .sector = part.sector, .first = moment, .warp = timed.warp, .burst = timed.burst });
        Filled& sector = sectors.back();
        sector.bytes |= part.bytes;
        sector.stores += 1;
        sector.last = moment;
        sector.atOnce = sector.atOnce || part.bytes == kWhole;
        sector.byOneWarp = sector.byOneWarp && timed.warp == sector.warp;
        sector.inOneBurst = sector.inOneBurst && timed.burst == sector.burst;
    }
    return sectors;
}

std::uint64_t firstSector(const analysis::WarpAccess& access)
{
    return access.active == 0 ? 0 : access.address[std::size_t(std::countr_zero(access.active))] / analysis::kSectorBytes;
}

/// What a block's stores write.
struct StoredParts {
    std::vector<TimedParts> groups; ///< of stores that move alike
    std::vector<Burst> bursts;
};

StoredParts storedParts(const analysis::BlockTrace& trace, const BlockMoves* moves, bool loadsAreFirst)
{
    StoredParts stored;
    std::vector<TimedParts>& groups = stored.groups;
    groups.resize(moves ? moves->groups() : 1);
    SectorParts parts, ofBurst;
    Burst burst;
    const auto endBurst = [&] {
        if (ofBurst.empty())
            return;
        keepDistinct(ofBurst);
        burst.sectors = double(ofBurst.size());
        stored.bursts.push_back(burst);
        burst.isWide = false;
        ofBurst.clear();
    };
    for (std::uint32_t warp = 0; warp < trace.warps.size(); ++warp) {
        std::uint32_t step = 0, last = 0;
        endBurst();
        burst.hasRead = false;
        for (const analysis::TraceStep& access : trace.warps[warp]) {
            if (!isGlobalStore(access)) {
                if (!(loadsAreFirst && isGlobalLoad(access)))
                    endBurst();
                burst.hasRead = burst.hasRead || isGlobalLoad(access);
                continue;
            }
            parts.clear();
            appendParts(parts, access.access);
            const auto isOfBurst = [&](const SectorPart& part) { return std::ranges::find(ofBurst, part.sector, &SectorPart::sector) != ofBurst.end(); };
            if (access.instruction <= last && std::ranges::none_of(parts, isOfBurst)) // a loop's next turn, elsewhere
                endBurst();
            last = access.instruction;
            burst.isWide = burst.isWide || access.access.widthBytes >= kWideBytes;
            TimedParts& group = groups[moves ? moves->groupOf()[access.instruction] : 0];
            const std::uint64_t first = firstSector(access.access);
            for (const SectorPart& part : parts)
                group.push_back({ part, step, warp, std::uint32_t(stored.bursts.size()), first });
            ofBurst.insert(ofBurst.end(), parts.begin(), parts.end());
            ++step;
        }
    }
    endBurst();
    return stored;
}

/// The distinct sectors that a block loads, in order.
SectorParts loadedSectors(const analysis::BlockTrace& trace)
{
    SectorParts loaded;
    for (const auto& warp : trace.warps)
        for (const analysis::TraceStep& access : warp)
            if (isGlobalLoad(access))
                appendParts(loaded, access.access);
    keepDistinct(loaded);
    return loaded;
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
    StoreGroup(TimedParts& parts, std::span<const Burst> bursts, const SectorParts& loaded, double warps, double steps)
        : m_sectors(filledSectors(parts, warps))
        , m_bursts(bursts)
        , m_loaded(loaded)
        , m_steps(steps)
    {
    }

    void addTo(OpenSectors& open, const BlockMoves* moves, std::size_t group) const
    {
        for (const Filled& sector : m_sectors) {
            const double stride = sector.bytes != kWhole && moves ? strideTo(sector, *moves, group) : 0;
            const double joined = sector.inOneBurst && sector.stores > 1 && stride <= 1 ? joinedInBurst(m_bursts[sector.burst]) : 0;
            open.joined += joined * (sector.stores - 1);
            // Every block that writes a part of the sector counts it.
            open.betweenBlocks += (1 - sector.share()) * stride;
            if (stride > 1) {
                open.shared += sector.share();
                open.apart += sector.share() * (kApart + kDrift * lifeShare(sector.stores / sector.share()));
            } else if (moves && stride == 0 && sector.bytes != kWhole) {
                open.holes += !isLoaded(sector);
                open.holesStoredAgain += !isLoaded(sector) && sector.stores > 1 ? 1 - joined : 0;
            } else if (!sector.atOnce) {
                const double drift = sector.byOneWarp ? 0 : kDrift * lifeShare(sector.stores);
                open.filledByJoining += sector.bytes == kWhole ? joined : 0;
                const double lasts = (1 - joined) * (between(sector) + drift);
                open.inBlock += lasts;
                open.inPlace += isLoaded(sector) ? lasts : 0;
                open.byOneWarp += sector.byOneWarp ? (1 - joined) * between(sector) : 0;
            }
        }
    }

private:
    [[nodiscard]] bool isLoaded(const Filled& sector) const
    {
        return std::ranges::binary_search(m_loaded, sector.sector, {}, &SectorPart::sector);
    }
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
    std::span<const Burst> m_bursts;
    const SectorParts& m_loaded;
    double m_steps;
};

} // namespace

OpenSectors openSectors(const analysis::BlockTrace& trace, const BlockMoves* moves, bool loadsAreFirst)
{
    OpenSectors open;
    StoredParts stored = storedParts(trace, moves, loadsAreFirst);
    std::vector<TimedParts>& groups = stored.groups;
    const SectorParts loaded = loadedSectors(trace);
    const double warps = double(trace.warps.size()), steps = longestWarp(trace);
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const Followed sectors = followed(groups[group], 1);
        open.followed += sectors.all;
        open.followedShifted += sectors.shifted;
        open.followedLines += followed(groups[group], kLineSectors).all;
        StoreGroup(groups[group], stored.bursts, loaded, warps, steps).addTo(open, moves, group);
    }
    return open;
}

} // namespace coalescope::kernels
