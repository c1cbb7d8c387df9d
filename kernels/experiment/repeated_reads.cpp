// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/repeated_reads.h"

#include "analysis/access/sector_model.h"
#include "analysis/program/load_levels.h"
#include "kernels/experiment/footprint.h"
#include "kernels/experiment/fresh_turns.h"
#include "kernels/experiment/joined_reads.h"
#include "kernels/experiment/reads_by_data.h"
#include "kernels/experiment/sector_parts.h"
#include "kernels/experiment/sm_blocks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

namespace coalescope::kernels {

namespace {

// What a prediction may spend on the blocks of an SM: a few milliseconds in all.
constexpr std::size_t kMostLookups = 32768; ///< of lines that are followed
constexpr std::size_t kMostParts = 400'000; ///< of lines that are looked at
constexpr std::size_t kMostLocalParts = 1'600'000; ///< where arrays are filled before they are read: more must be seen
constexpr std::size_t kMostAccesses = 16384; ///< of the traced block
constexpr std::size_t kMostTraced = 48; ///< blocks
constexpr double kMostTracedInstructions = 60'000;
constexpr std::size_t kFewestLines = 64; ///< of a sampled L1
constexpr double kOftenReadByData = 2; ///< times a buffer is asked for where addresses are data
constexpr double kSharedNow = 5; ///< times that the blocks running at a time ask for a sector: less are borders, of which an SM finds few
constexpr double kManyAgain = 0.05; ///< of what a block loads; less are sectors at borders
constexpr double kFewWarps = 8; ///< of an SM: what one of them finds in L1 does not come behind what others wait for
// From when the blocks of 26 launches of products on an H200 (driver 580.159.04, 2026-11-23) ended that had started together: of 30 to 32 warps an SM
// all within 2 to 19 %, of 64 the last after 1.3 to 3.5 times as long as the first, mostly 2.
constexpr double kWarpsInStep = 32;
constexpr double kPoolStays = 0.5; ///< of L1
constexpr double kMayStay = 1; ///< of L1: what all blocks read together; of more an SM finds what only a few blocks read too seldom

class RepeatedReads {
public:
    RepeatedReads(analysis::Traffic& traffic, const analysis::DeviceModel& device, const Prediction& prediction,
        const analysis::BlockTrace& trace, const BlockShape& shape, std::size_t l1Lines)
        : m_traffic(traffic)
        , m_device(device)
        , m_prediction(prediction)
        , m_trace(trace)
        , m_shape(shape)
        , m_sms(std::uint64_t(std::max(1, device.sms)))
        , m_blocks(prediction.launch.grid.count())
        , m_resident(std::size_t(std::max(1, prediction.result.occupancy->blocksPerSm)))
        , m_onSm(std::size_t((m_blocks - firstBlock() + m_sms - 1) / m_sms))
        , m_l1Lines(l1Lines)
    {
    }

    void addFromMoves(const BlockMoves& moves)
    {
        const auto accesses = accessesOfABlock();
        const Footprint footprint(*accesses, moves);
        m_traffic.blocksReadTheSame = footprint.readsTheSame();
        m_traffic.readAgainBytes
            = bytesReadAgain(footprint, m_device, m_traffic, double(m_sms * m_resident));
        const double byOthers
            = bytesReadByOtherLoads(footprint, moves, m_device, m_traffic, m_prediction.launch.buffers);
        m_traffic.blocksReadTheSame = m_traffic.blocksReadTheSame || byOthers > 0;
        m_traffic.readAgainBytes += byOthers;
        const bool shareSome = footprint.sectors(m_traffic.blocks) < m_traffic.blocks * footprint.sectors(1) - 1;
        if (shareSome && !m_traffic.blocksReadTheSame && std::max(m_traffic.loadRounds, m_traffic.machine.loadWaits) > 1)
            m_traffic.freshLoads *= freshTurns(*accesses, moves);
        std::vector<bool> shared;
        for (std::size_t group = 0; group < moves.groups(); ++group)
            shared.push_back(m_onSm > 1 && smBlocksShare(footprint, moves, group));
        if (repeats() || hasLocal() || std::ranges::find(shared, true) != shared.end())
            followMoved(accesses, [&](std::size_t i) { return shiftsOnSm(moves, shared, i); }, moves.groupOf());
        if (m_device.smsPerGpc > 0)
            m_traffic.joinedReads = joinedReads(footprint, m_missedOf,
                { .sms = double(m_sms),
                    .smsPerGpc = m_device.smsPerGpc,
                    .blocks = double(m_blocks),
                    .resident = residentBlocks(),
                    .warpsPerSm = warpsOfAnSm() });
    }

    /// Where blocks move in no regular way, a few of an SM's are traced if they may read the same, or one stands for all.
    void addFromTraces(bool addressesAreData)
    {
        const double instructions = m_traffic.warpInstructions / m_traffic.blocks;
        const auto affordable = std::size_t(kMostTracedInstructions / std::max(1.0, instructions));
        const std::size_t count = wholeWaves(std::min({ m_onSm, kMostTraced, affordable }));
        if (count >= 2 && isReadOften(addressesAreData ? kOftenReadByData : kOftenRead))
            followTraced(count);
        else if (repeats() || hasLocal())
            followMoved(accessesOfABlock(), [](std::size_t) { return std::vector<std::int64_t> {}; }, {});
        addPools();
    }

private:
    /// Of the SM that is followed, one in the middle.
    [[nodiscard]] std::uint64_t firstBlock() const { return std::min(m_sms, m_blocks) / 2; }
    /// Blocks start in their order, at first one on each SM after the other, then wherever one has left.
    [[nodiscard]] std::uint64_t block(std::size_t i) const
    {
        if (i < m_resident)
            return firstBlock() + i * m_sms;
        const std::uint64_t anywhere = (i * 0x9e3779b97f4a7c15ull >> 33) % m_sms;
        return std::min(m_blocks - 1, i * m_sms + anywhere);
    }

    [[nodiscard]] std::size_t wholeWaves(std::size_t blocks) const
    {
        return blocks == m_onSm || blocks < m_resident ? blocks : blocks / m_resident * m_resident;
    }

    /// Whether a block asks for what it has read or written, beside what its warps load through L1 at the same time.
    [[nodiscard]] bool repeats() const
    {
        const double again = m_shape.loadSectors - m_shape.distinctSectors;
        return ((m_shape.loadRounds > 1 || m_shape.goesPastL1) && again > kManyAgain * m_shape.loadSectors) || m_shape.bothLines > 0;
    }

    [[nodiscard]] bool hasLocal() const { return m_traffic.local.loadRequests + m_traffic.local.storeRequests > 0; }

    /// What blocks draw from a pool that L1 keeps easily is asked of the L2 once by each SM.
    void addPools()
    {
        double asked = 0, again = 0;
        bool isPool = false;
        for (const BlockShape::Touched& touched : m_shape.touched) {
            if (touched.lines == 0)
                continue;
            const double draws = double(m_onSm) * touched.sectors;
            const bool isKept = touched.poolLines > 0 && touched.poolLines < kPoolStays * double(m_l1Lines);
            asked += isKept ? linesDrawn(touched.poolLines * kLineSectors, draws) : draws;
            isPool = isPool || touched.poolLines > 0;
            if (touched.poolLines > 0)
                again += drawnBytesReadAgain(touched, m_device, m_traffic);
        }
        if (!isPool)
            return;
        m_traffic.readAgainBytes += again;
        m_traffic.blocksReadTheSame = m_traffic.blocksReadTheSame || again > kManyAgain * m_traffic.readBytes;
        m_traffic.l1ReadShare = std::min(m_traffic.l1ReadShare, asked / (m_shape.loadSectors * double(m_onSm)));
    }

    /// Whether all blocks together ask for some buffer's data so many times.
    [[nodiscard]] bool isReadOften(double times) const
    {
        for (const BlockShape::Touched& touched : m_shape.touched)
            if (timesRead(touched, m_traffic.blocks) >= times)
                return true;
        return m_traffic.missedSectors() * analysis::kSectorBytes >= times * m_shape.loadBufferBytes;
    }

    /// Whether an SM's blocks may find in L1 what others of them read with a group's loads: what every block reads, no
    /// more than L1 keeps easily, or what many of the running blocks read. What only neighbours read, as a halo, they do not find, for
    /// these are on other SMs.
    [[nodiscard]] bool smBlocksShare(const Footprint& footprint, const BlockMoves& moves, std::size_t group) const
    {
        const double all = footprint.sectors(group, m_traffic.blocks), own = footprint.sectors(group, 1);
        const double running = runningBlocks();
        return moves.isEveryBlocks(group) || (own > 0 && running * own >= kSharedNow * footprint.sectors(group, running))
            || (all * kOftenRead < own * m_traffic.blocks && all < kMayStay * double(m_l1Lines) * kLineSectors);
    }
    /// How far the accesses of the SM's i-th block lie from the traced one's where they are its own.
    [[nodiscard]] static std::int64_t apart(std::size_t i)
    {
        constexpr std::int64_t kFarApart = std::int64_t(1) << 38;
        return std::int64_t(i + 1) * kFarApart;
    }
    [[nodiscard]] std::vector<std::int64_t> shiftsOnSm(
        const BlockMoves& moves, const std::vector<bool>& shared, std::size_t i) const
    {
        std::vector<std::int64_t> shifts = moves.shifts(block(i));
        for (std::size_t group = 0; group < moves.groups(); ++group)
            if (!shared[group])
                shifts[group] = apart(i);
        return shifts;
    }

    /// At a time: on the whole chip, and on an SM.
    [[nodiscard]] double runningBlocks() const { return double(std::min(m_sms * m_resident, m_blocks)); }
    [[nodiscard]] double residentBlocks() const { return double(std::min(m_resident, m_onSm)); }
    [[nodiscard]] double warpsOfAnSm() const { return double(m_trace.warps.size()) * residentBlocks(); }
    /// Up to half of the warps that an SM can have do not get in each other's way, and its blocks stay in step; of more the oldest get on
    /// first, until they are spread evenly.
    [[nodiscard]] double blocksApart() const { return std::clamp((warpsOfAnSm() - kWarpsInStep) / kWarpsInStep, 0.0, 1.0); }
    /// Blocks that show whether the next ones find something of the first.
    [[nodiscard]] std::size_t fewestFollowed() const { return std::min(m_onSm, 2 * m_resident); }

    [[nodiscard]] std::shared_ptr<const BlockAccesses> accessesOfABlock() const
    {
        const double requests = m_traffic.loadRequests + m_traffic.storeRequests;
        const double partsOfOne = (m_traffic.loadTags + m_traffic.storeTags) / std::max(1.0, requests);
        return std::make_shared<const BlockAccesses>(
            m_trace, std::min(std::max<std::size_t>(1, kMostAccesses / m_trace.warps.size()), mostOfAWarp(kMostParts, partsOfOne)),
            BlockAccesses::LoadWaits { m_traffic.machine.loadWaits, warpsOfAnSm() <= kFewWarps, analysis::loadLevels(*m_prediction.program) });
    }
    [[nodiscard]] std::shared_ptr<const BlockAccesses> accessesWithLocal() const
    {
        const analysis::LocalTraffic& local = m_traffic.local;
        const double requests = m_traffic.loadRequests + m_traffic.storeRequests + local.loadRequests + local.storeRequests;
        const double tags = m_traffic.loadTags + m_traffic.storeTags + local.loadTags + local.storeTags;
        return std::make_shared<const BlockAccesses>(
            BlockAccesses::withLocal(m_trace, mostOfAWarp(kMostLocalParts, tags / requests)));
    }
    /// Accesses, where that many parts of lines are looked at.
    [[nodiscard]] std::size_t mostOfAWarp(std::size_t mostParts, double partsOfOne) const
    {
        const double most = double(mostParts) / (double(fewestFollowed()) * std::max(1.0, partsOfOne));
        return std::max<std::size_t>(1, std::size_t(most / double(m_trace.warps.size())));
    }

    template <class Shifts>
    void followMoved(
        const std::shared_ptr<const BlockAccesses>& accesses, const Shifts& shiftsOf, std::span<const std::uint32_t> groupOf)
    {
        if (m_l1Lines == 0)
            return;
        SmBlocks blocks { .followed = {}, .groupOf = groupOf, .resident = m_resident, .all = m_onSm };
        const auto followed = hasLocal() ? accessesWithLocal() : accesses;
        const std::size_t parts = std::max<std::size_t>(1, followed->partCount());
        const std::size_t count = wholeWaves(std::clamp(kMostLookups / parts, fewestFollowed(), m_onSm));
        // Accesses were left out and L1 does not hold a wave of whole blocks: what the next wave would
        // find of the shorter ones tells nothing.
        const double linesOfABlock = m_shape.loadLines + m_shape.storeLines + m_traffic.local.distinctLines;
        blocks.eachWaveAlone = !followed->isWhole() && linesOfABlock * residentBlocks() > double(m_l1Lines);
        if (!hasLocal())
            blocks.apart = blocksApart();
        for (std::size_t i = 0; i < count; ++i)
            blocks.followed.push_back({ followed, shiftsOf(i), apart(i) });
        follow(blocks, parts * count);
        addOwnReadsAgain(*accesses);
    }

    /// Of what blocks fetch again because L1 has let it go, DRAM reads what the L2 has let go as well.
    void addOwnReadsAgain(const BlockAccesses& accesses)
    {
        const double first = m_shape.distinctSectors - m_shape.storedSectorsLoaded;
        const double repeated = m_shape.loadSectors - first;
        const double again = m_shape.loadSectors * m_traffic.l1ReadShare - first;
        if (again < kManyAgain * m_shape.loadSectors)
            return;
        const double running = runningBlocks() * analysis::kCacheLineBytes;
        const double most = m_shape.loadLines + m_shape.storeLines;
        const double all = m_shape.loadBufferBytes + m_shape.storeBufferBytes; // blocks that read the same bring no more
        std::vector<double> since = linesBetweenUses(accesses);
        std::ranges::sort(since, std::greater {}); // L1 lets go what is used again last
        since.resize(std::size_t(std::ceil(double(since.size()) * std::min(1.0, again / repeated))));
        double gone = 0;
        for (const double lines : since)
            gone += analysis::goneShare(m_device, std::min(all, running * std::min(lines, most))) / double(since.size());
        m_traffic.readAgainBytes += gone * again * m_traffic.wholeBlocks * analysis::kSectorBytes;
        m_traffic.blocksReadTheSame = true;
    }

    /// For each line that a block's loads use again, how many lines it has touched in between.
    [[nodiscard]] static std::vector<double> linesBetweenUses(const BlockAccesses& accesses)
    {
        std::vector<double> between;
        std::unordered_map<std::uint64_t, std::size_t> last;
        std::size_t now = 0;
        const auto& warps = accesses.warps();
        std::size_t longest = 0;
        for (const auto& warp : warps)
            longest = std::max(longest, warp.size());
        for (std::size_t i = 0; i < longest; ++i) {
            for (const auto& warp : warps) {
                if (i >= warp.size())
                    continue;
                for (const LinePart& part : accesses.parts(warp[i])) {
                    const auto [found, isNew] = last.try_emplace(part.line, ++now);
                    if (!isNew && !warp[i].isStore())
                        between.push_back(double(now - found->second));
                    found->second = now;
                }
            }
        }
        return between;
    }

    /// Of local memory that L1 has let go, what the L2 has let go as well: as far as the SMs have asked for more since.
    [[nodiscard]] double goneFromL2(const std::vector<double>& linesSince) const
    {
        const double running = runningBlocks();
        const double all = m_traffic.local.distinctLines * running;
        double gone = 0;
        for (const double lines : linesSince) {
            const double since = std::min(lines * double(std::min(m_sms, m_blocks)), all);
            gone += analysis::goneShare(m_device, analysis::roomOfStores(m_device) * since * analysis::kCacheLineBytes);
        }
        return linesSince.empty() ? 0 : gone / double(linesSince.size());
    }

    void follow(const SmBlocks& blocks, std::size_t parts)
    {
        const std::size_t most = std::max<std::size_t>(1, m_l1Lines / kFewestLines);
        const auto sampled = unsigned(std::clamp<std::size_t>(parts / kMostLookups, 1, most));
        const L1Misses misses = l1Misses(blocks, m_l1Lines, sampled);
        m_traffic.l1ReadShare = misses.global.sectors;
        m_missedOf = misses.ofGroups;
        m_traffic.local.missShare = misses.local.sectors;
        m_traffic.local.missingTurns = misses.local.turns;
        m_traffic.local.goneShare = goneFromL2(misses.localSince);
        m_traffic.missingTurns = misses.global.turns;
    }

    void followTraced(std::size_t count)
    {
        if (m_l1Lines == 0)
            return;
        const analysis::Dim3 grid = m_prediction.launch.grid;
        // Where not all are followed, the later half of these stands for them: L1 has had time to fill.
        const std::size_t together = count < m_onSm ? (count + 1) / 2 : count;
        SmBlocks blocks {
            .followed = {}, .groupOf = {}, .resident = std::min(m_resident, together), .all = m_onSm
        };
        std::vector<analysis::Dim3> wanted;
        for (std::size_t i = 0; i < count; ++i)
            wanted.push_back(grid.at(block(i)));
        const auto traces = analysis::traceAddresses(
            *m_prediction.program, m_prediction.launch, std::span<const analysis::Dim3>(wanted));
        if (!traces)
            return;
        std::size_t parts = 0;
        for (const analysis::BlockTrace& trace : *traces) { // accesses point into them
            blocks.followed.push_back({ .accesses = std::make_shared<const BlockAccesses>(BlockAccesses::withLocal(trace)), .shifts = {} });
            parts += blocks.followed.back().accesses->partCount();
        }
        follow(blocks, parts);
        if (repeats())
            addOwnReadsAgain(*accessesOfABlock());
    }

    analysis::Traffic& m_traffic;
    const analysis::DeviceModel& m_device;
    const Prediction& m_prediction;
    const analysis::BlockTrace& m_trace;
    const BlockShape& m_shape;
    std::uint64_t m_sms, m_blocks;
    std::size_t m_resident, m_onSm;
    std::size_t m_l1Lines = 0; ///< 0: not known
    std::vector<double> m_missedOf; ///< share of each group's loads that L1 does not have; empty: all
};

} // namespace

void addRepeatedReads(analysis::Traffic& traffic, const analysis::DeviceModel& device, const Prediction& prediction,
    const analysis::GridTotals& totals, const analysis::BlockTrace& trace, const BlockShape& shape, std::size_t l1Lines)
{
    if (shape.loadSectors + traffic.local.loadSectors == 0)
        return;
    RepeatedReads reads(traffic, device, prediction, trace, shape, l1Lines);
    if (const auto moves = BlockMoves::of(totals, prediction.launch.grid, trace);
        moves && moves->coversGrid())
        reads.addFromMoves(*moves);
    else
        reads.addFromTraces(totals.valuesNeeded);
}

} // namespace coalescope::kernels
