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

/// Of the stores that a warp makes right after each other to the same sectors, L1 sends on one where few sectors lie between:
/// the rest by how many a warp stores to from the first to the last of them, and by how many warps of a block do so at once,
/// since others' stores come between. From l1tex__m_l1tex2xbar_write_sectors of 270 launches of stored_in_turn.cu on an
/// H200 (driver 580.159.04, 2026-11-27), and of 30 of structure_fields.cu on an H100 (same driver, 2026-11-25).
struct Joined {
    double sectors;
    std::array<double, 4> shares; ///< with kWarps at once
    double once = 0; ///< one more, of all stores that follow, in blocks of few warps
};
constexpr std::array kWarps { 4.0, 8.0, 16.0, 32.0 };
/// Where a warp has read much before, its stores come when no other's do: structures of 2 to 12 floats that are read and written back
/// field by field (H200, same driver, 2026-11-22).
constexpr std::array kJoinedWhereLedByReads {
    Joined { 16, { 1, 1, 1, 1 } },
    Joined { 24, { 0.91, 0.91, 0.91, 0.91 } },
    Joined { 32, { 0.41, 0.41, 0.41, 0.41 } },
    Joined { 48, { 0.2, 0.2, 0.2, 0.2 } },
    Joined { 64, {} },
};
constexpr double kLeads = 0.25; ///< sectors that it has read since it last stored, of those that it stores to
constexpr std::array kJoinedAfterReads {
    Joined { 8, { 1, 0.99, 0.98, 0.98 } },
    Joined { 12, { 0.99, 0.97, 0.92, 0.83 } },
    Joined { 16, { 0.98, 0.9, 0.77, 0.65 } },
    Joined { 20, { 0.91, 0.65, 0.45, 0.33 }, 0.12 },
    Joined { 24, { 0.82, 0.52, 0.3, 0.23 }, 0.25 },
    Joined { 28, { 0.49, 0.27, 0.13, 0.1 }, 0.38 },
    Joined { 32, { 0.35, 0.17, 0.08, 0.06 }, 0.5 },
    Joined { 48, { 0.06, 0.03, 0.02, 0.02 }, 0.3 },
    Joined { 64, {}, 0.1 },
};
/// Fewer where warps have nothing to wait for before they store, and all store at once.
constexpr std::array kJoinedUnread {
    Joined { 8, { 1, 0.99, 0.97, 0.93 } },
    Joined { 12, { 0.96, 0.89, 0.6, 0.4 } },
    Joined { 16, { 0.95, 0.75, 0.35, 0.18 } },
    Joined { 20, { 0.88, 0.52, 0.22, 0.1 }, 0.12 },
    Joined { 24, { 0.8, 0.5, 0.2, 0.06 }, 0.25 },
    Joined { 28, { 0.33, 0.27, 0.07, 0.02 }, 0.38 },
    Joined { 32, { 0.1, 0.02, 0.01, 0 }, 0.5 },
    Joined { 48, { 0.03, 0.01, 0, 0 }, 0.3 },
    Joined { 64, {}, 0.1 },
};
/// Of lanes that fill no word, by their sectors times narrowFactor(): 31 launches of stored_bytes.cu, pixels of three bytes or halves that are
/// stored one by one (H200, same driver, 2026-11-28).
constexpr std::array kJoinedNarrow {
    Joined { 6, { 0.986, 0.886, 0.816, 0.662 } },
    Joined { 8.4, { 0.976, 0.86, 0.79, 0.63 } },
    Joined { 12, { 0.72, 0.684, 0.587, 0.436 } },
    Joined { 16.8, { 0.578, 0.554, 0.47, 0.344 } },
    Joined { 24, { 0.542, 0.523, 0.358, 0.195 } },
    Joined { 64, {} },
};
/// The share falls with the burst's length over the span's to this power: warps that store for long come between each other.
constexpr std::array kFall { 0.0, 0.4, 0.6, 0.6 };
/// Where the warp is led by reads: the share of these that is still joined with so many clocks from one store to the next.
struct JoinedAfter {
    double clocks = 0, share = 1;
};
constexpr std::array kJoinedAfter { JoinedAfter { 72, 1 }, JoinedAfter { 128, 0.18 }, JoinedAfter { 256, 0.04 }, JoinedAfter { 384, 0 } };
constexpr double kApartInLoops = 1.4; ///< so many times fewer warps of a loop that reads nothing are at it at once
constexpr double kOnceOfManyWarps = 0.3; ///< of `once`, with 16 and more
constexpr int kWideBytes = 8; ///< a lane
constexpr double kWideSectors = 24; ///< where wide lanes store to more, none are joined that have not read
constexpr double kOnceOfWide = 0.4; ///< of `once`, of others

/// Stores of a warp with nothing else of memory between them, and no turn of a loop that goes on to other sectors.
struct Burst {
    /// From one of its stores to a later one.
    struct Span {
        std::uint32_t first = 0, last = 0; ///< the warp's so many-th
        double sectors = 0; ///< distinct

        [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> ends() const { return { first, last }; }
        [[nodiscard]] double stores() const { return last - first + 1; }
    };
    std::vector<Span> spans; ///< in order; those in which some sector is stored to first and last
    double stores = 0;
    bool hasRead = false; ///< the warp, before
    bool isLedByReads = false;
    bool isWide = false; ///< some store
    bool isTurn = false; ///< of a loop
    double narrow = 1; ///< narrowFactor() of its narrowest store
};

double narrowFactor(unsigned laneBytes) { return laneBytes == 1 ? 2 : laneBytes == 2 ? 1.4 : 1; }

double joinedAfter(double clocks)
{
    const auto next = std::ranges::lower_bound(kJoinedAfter, clocks, {}, &JoinedAfter::clocks);
    if (next == kJoinedAfter.begin() || next == kJoinedAfter.end())
        return next == kJoinedAfter.end() ? 0 : 1;
    const JoinedAfter& before = *std::prev(next);
    return std::lerp(before.share, next->share, (clocks - before.clocks) / (next->clocks - before.clocks));
}

Joined between(const Joined& low, const Joined& high, double sectors)
{
    const double share = (sectors - low.sectors) / (high.sectors - low.sectors);
    Joined both { sectors, {}, std::lerp(low.once, high.once, share) };
    for (std::size_t i = 0; i < both.shares.size(); ++i)
        both.shares[i] = std::lerp(low.shares[i], high.shares[i], share);
    return both;
}

Joined joinedOf(std::span<const Joined> table, double sectors)
{
    const auto next = std::ranges::lower_bound(table, sectors, {}, &Joined::sectors);
    if (next == table.end())
        return { sectors, {} };
    return next == table.begin() ? *next : between(*std::prev(next), *next, sectors);
}

/// Of the stores after the first that write a sector: the share that L1 does not send on.
double joinedShare(const Burst& burst, const Burst::Span& span, double stores, double warps, double gapClocks)
{
    if (!burst.hasRead && burst.isWide && span.sectors > kWideSectors)
        return 0;
    const Joined joined = burst.narrow > 1 ? joinedOf(kJoinedNarrow, span.sectors * burst.narrow)
                                           : joinedOf(burst.isLedByReads ? std::span<const Joined>(kJoinedWhereLedByReads) : burst.hasRead ? kJoinedAfterReads : kJoinedUnread, span.sectors);
    const bool isLedByReads = burst.isLedByReads && burst.narrow == 1;
    const double atOnce = burst.isTurn && !burst.hasRead ? warps / kApartInLoops : warps;
    const double octave = std::clamp(std::log2(atOnce / kWarps.front()), 0.0, double(kWarps.size() - 1));
    const std::size_t row = std::min(std::size_t(octave), kWarps.size() - 2);
    const auto ofWarps = [&](const std::array<double, 4>& of) { return std::lerp(of[row], of[row + 1], octave - double(row)); };
    const double share = ofWarps(joined.shares) * (isLedByReads ? 1 : std::pow(burst.stores / span.stores(), -ofWarps(kFall)));
    const double once = joined.once * (warps < kWarps[2] ? 1 : kOnceOfManyWarps) * (burst.isWide ? kOnceOfWide : 1);
    return std::min(1.0, share + once / (stores - 1)) * (isLedByReads ? joinedAfter(gapClocks) : 1);
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
    std::span<const TimedPart> parts; ///< its own, in the order of their steps
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
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const TimedPart& timed = parts[i];
        const SectorPart& part = timed.part;
        const double moment = timed.step + timed.warp / warps;
        if (sectors.empty() || sectors.back().sector != part.sector)
            sectors.push_back({ .sector = part.sector, .first = moment, .parts = {}, .warp = timed.warp });
        Filled& sector = sectors.back();
        sector.bytes |= part.bytes;
        sector.stores += 1;
        sector.last = moment;
        sector.atOnce = sector.atOnce || part.bytes == kWhole;
        sector.byOneWarp = sector.byOneWarp && timed.warp == sector.warp;
        sector.parts = std::span(parts).subspan(i - sector.parts.size(), sector.parts.size() + 1);
    }
    return sectors;
}

std::uint64_t firstSector(const analysis::WarpAccess& access)
{
    return access.active == 0 ? 0 : access.address[std::size_t(std::countr_zero(access.active))] / analysis::kSectorBytes;
}

/// A sector to which one of a burst's stores writes.
struct BurstPart {
    std::uint64_t sector = 0;
    std::size_t group = 0; ///< of stores that move alike
    std::uint32_t store = 0; ///< the warp's so many-th
};
using BurstParts = std::vector<BurstPart>;

/// Distinct sectors, as far as it matters.
double countSectors(std::span<const BurstPart> parts)
{
    std::vector<std::uint64_t> sectors;
    for (const BurstPart& part : parts)
        if (std::ranges::find(sectors, part.sector) == sectors.end()) {
            sectors.push_back(part.sector);
            if (double(sectors.size()) > kJoinedUnread.back().sectors)
                break;
        }
    return double(sectors.size());
}

/// `parts`: in the order of their stores.
std::vector<Burst::Span> spansOf(const BurstParts& parts)
{
    BurstParts bySector = parts;
    std::ranges::stable_sort(bySector, {}, [](const BurstPart& part) { return std::pair(part.group, part.sector); });
    std::vector<Burst::Span> spans;
    const auto isOther = [](const BurstPart& a, const BurstPart& b) { return a.group != b.group || a.sector != b.sector; };
    for (auto first = bySector.begin(); first != bySector.end();) {
        const auto next = std::ranges::adjacent_find(first, bySector.end(), isOther);
        const auto end = next == bySector.end() ? next : std::next(next);
        if (first->store != std::prev(end)->store)
            spans.push_back({ first->store, std::prev(end)->store });
        first = end;
    }
    std::ranges::sort(spans, {}, &Burst::Span::ends);
    spans.erase(std::ranges::unique(spans, {}, &Burst::Span::ends).begin(), spans.end());
    for (Burst::Span& span : spans) {
        const auto first = std::ranges::lower_bound(parts, span.first, {}, &BurstPart::store);
        span.sectors = countSectors({ first, std::ranges::upper_bound(parts, span.last, {}, &BurstPart::store) });
    }
    return spans;
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
    SectorParts parts;
    BurstParts ofBurst;
    bool hasRead = false, isWide = false, isTurn = false;
    double read = 0; // sectors, since the last burst
    double narrow = 1;
    const auto endBurst = [&] {
        if (ofBurst.empty())
            return;
        const bool isLedByReads = read >= kLeads * double(ofBurst.size());
        read = 0;
        stored.bursts.push_back({ spansOf(ofBurst), double(ofBurst.back().store - ofBurst.front().store + 1), hasRead, isLedByReads, isWide, isTurn, narrow });
        isWide = false;
        narrow = 1;
        ofBurst.clear();
    };
    for (std::uint32_t warp = 0; warp < trace.warps.size(); ++warp) {
        std::uint32_t step = 0, last = 0;
        endBurst();
        hasRead = isTurn = false;
        read = 0;
        for (const analysis::TraceStep& access : trace.warps[warp]) {
            if (!isGlobalStore(access)) {
                if (!(loadsAreFirst && isGlobalLoad(access)))
                    endBurst();
                if (isGlobalLoad(access)) {
                    hasRead = true;
                    parts.clear();
                    appendParts(parts, access.access);
                    read += double(parts.size());
                }
                continue;
            }
            parts.clear();
            appendParts(parts, access.access);
            const auto isOfBurst = [&](const SectorPart& part) { return std::ranges::find(ofBurst, part.sector, &BurstPart::sector) != ofBurst.end(); };
            if (access.instruction <= last && std::ranges::none_of(parts, isOfBurst)) { // a loop's next turn, elsewhere
                isTurn = true;
                endBurst();
            }
            last = access.instruction;
            isWide = isWide || access.access.widthBytes >= kWideBytes;
            narrow = std::max(narrow, narrowFactor(access.access.widthBytes));
            const std::size_t group = moves ? moves->groupOf()[access.instruction] : 0;
            const std::uint64_t first = firstSector(access.access);
            for (const SectorPart& part : parts) {
                groups[group].push_back({ part, step, warp, std::uint32_t(stored.bursts.size()), first });
                ofBurst.push_back({ part.sector, group, step });
            }
            ++step;
        }
    }
    endBurst();
    return stored;
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
    StoreGroup(TimedParts& parts, std::span<const Burst> bursts, const SectorParts& loaded, double warps, double steps, double gapClocks)
        : m_sectors(filledSectors(parts, warps))
        , m_bursts(bursts)
        , m_loaded(loaded)
        , m_warps(warps)
        , m_steps(steps)
        , m_gapClocks(gapClocks)
    {
    }

    void addTo(OpenSectors& open, const BlockMoves* moves, std::size_t group) const
    {
        for (const Filled& sector : m_sectors) {
            const double stride = sector.bytes != kWhole && moves ? strideTo(sector, *moves, group) : 0;
            const double joined = stride <= 1 ? joinedShareOf(sector) : 0;
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
    /// Of its stores after the first: each is joined with those of its burst.
    [[nodiscard]] double joinedShareOf(const Filled& sector) const
    {
        struct Run {
            std::uint32_t burst = 0, first = 0, last = 0; ///< the warp's so many-th store
            double stores = 0;
        };
        if (sector.stores < 2)
            return 0;
        std::vector<Run> runs;
        for (const TimedPart& timed : sector.parts) {
            const auto known = std::ranges::find(runs, timed.burst, &Run::burst);
            Run& run = known == runs.end() ? runs.emplace_back(Run { timed.burst, timed.step, timed.step, 0 }) : *known;
            run.last = timed.step;
            run.stores += 1;
        }
        double joined = 0;
        for (const Run& run : runs) {
            if (run.stores < 2)
                continue;
            const Burst& burst = m_bursts[run.burst];
            const auto span = std::ranges::lower_bound(burst.spans, std::pair(run.first, run.last), {}, &Burst::Span::ends);
            joined += (run.stores - 1) * joinedShare(burst, *span, run.stores, m_warps, m_gapClocks);
        }
        return joined / (sector.stores - 1);
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
    double m_warps, m_steps, m_gapClocks;
};

} // namespace

OpenSectors openSectors(const analysis::BlockTrace& trace, const BlockMoves* moves, bool loadsAreFirst, double gapClocks)
{
    OpenSectors open;
    StoredParts stored = storedParts(trace, moves, loadsAreFirst);
    std::vector<TimedParts>& groups = stored.groups;
    const SectorParts loaded = distinctSectors(trace, isGlobalLoad);
    const double warps = double(trace.warps.size()), steps = longestWarp(trace);
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const Followed sectors = followed(groups[group], 1);
        open.followed += sectors.all;
        open.followedShifted += sectors.shifted;
        open.followedLines += followed(groups[group], kLineSectors).all;
        StoreGroup(groups[group], stored.bursts, loaded, warps, steps, gapClocks).addTo(open, moves, group);
    }
    return open;
}

} // namespace coalescope::kernels
