// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/estimate.h"

#include "analysis/access/sector_model.h"
#include "analysis/device/sm_waves.h"
#include "analysis/device/unequal_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace coalescope::analysis {

namespace {

constexpr double kWriteRate = 0.513; ///< of the L2 over its read rate where it was not measured: the H200's
/// What kernels get of the rates of kernels that do nothing else. From recorded H200 launches.
constexpr double kOfReadRate = 0.8535, kOfWriteRate = 0.93;
constexpr double kL1LatencyNs = 16; ///< measured on an H200 by `coalescope calibrate`
constexpr double kLaterL2Ns = 142, kLaterDramNs = 204; ///< a block's loads after its first wait: a chain's, likewise
// Warps that march through memory, 1 to 32 of an SM, each of which waits for 1 to 8 lines together, turn after turn, on an H200
// (driver 580.159.04, 2026-11-26): DRAM's answer takes longer each time that there are twice as many lines, and where what is in the
// L2 must be written to DRAM first. The former is less than they take alone (45 ns), for what waits for DRAM is followed.
constexpr double kTwiceTheLinesNs = 25, kMostLinesOfAWait = 8, kLaterModifiedNs = 30;
constexpr double kSharedLatencyNs = 15; ///< about 30 clocks from a shared load to its value
/// Lines that an SM's warps ask for at a time without those that L1 has waiting for the others, and with. Measured on an H200
/// (driver 580.159.04, 2026-11-22): a hit takes 39 clocks beside up to 96 lines in flight, 62 beside 224, 300 and more beside 480.
constexpr double kFewLinesInFlight = 64, kManyLinesInFlight = 224; ///< from other kernels' launches: those that wait for each
                                                                   ///< turn ask ahead of it
constexpr double kFillWavefronts = 0.5; ///< for each line that L1 had not: from tiled products, whose blocks of 8 x 8 wait for it
constexpr double kLostWavefronts = 0.06; ///< more than the addresses need, of those that conflicts add: a tile of
                                         ///< 32 x 32 without padding takes 38.4 clocks a store and load, whose addresses need 33
constexpr double kIssuedForLoads
    = 0.75; ///< share of the instructions: before loads and while they are waited for; where there is no machine code
constexpr double kSmStartNs = 30; ///< at least, from one block's start on an SM to the next's: measured on 8 to 32 SMs of an
                                  ///< H200 (driver 580.159.04, 2026-11-22); on 96 and on 132 the chip's 0.60 ns decide
constexpr int kSchedulers = 4; ///< an SM has
// Clocks that one of a scheduler's pipes is kept by an instruction: 16 and 4 lanes a clock (CUDA C++ Programming Guide 13.0,
// "Throughput of Native Arithmetic Instructions"). Measured on an H200 (driver 580.159.04, 2026-11-22): prmt, shf, min.f32,
// mad.lo 2.01, ex2, popc 8.02.
constexpr double kIntegerClocks = 2, kSpecialClocks = 8;
constexpr double kPtxSlots = 1.27; ///< of an instruction of PTX, whose registers and pipes nobody knows. From recorded launches
constexpr double kBusyPower = 3; ///< of what issuing takes and what the busiest pipe does: near each other they keep each other waiting. From recorded launches
constexpr double kDependentClocks = 4; ///< from an instruction to the next that needs its result: of integer arithmetic
                                       ///< from Volta on (Jia et al. 2018, "Dissecting the NVIDIA Volta GPU Architecture")
constexpr double kMostRounds = 8; ///< or turns of one: followed one by one; more are followed in groups
constexpr double kMostCopyRounds = 24; ///< the same where copies are asked for ahead: a group's are together
constexpr double kShuffleClocks = 24; ///< from a shuffle to what needs its result; measured
constexpr double kOtherWaitClocks = 5.5; ///< for conversions, products of wide integers and the like; from recorded launches
constexpr double kPieceInstructions = 256; ///< of a warp, that it is followed through at once: others issue in between
constexpr double kPartWarps = 8; ///< of a block, followed together, at most
constexpr double kFewestParts = 8; ///< of an SM, as far as it has warps
// From recorded launches that load once or twice a thread.
constexpr double kLoadedLatency = 0.9, kLoadedPower = 6; ///< of DRAM at its limit: so much longer
// Where the caches were emptied before, the launch's code and its arguments come from DRAM: so much longer, with 16 to 4,096 instructions, on an
// H200 (driver 580.159.04, 2026-11-30).
constexpr double kEmptiedNs = 300;
// From large launches whose sectors are filled by several stores, those of several blocks among them.
constexpr double kSplitPower = 0.75; ///< of the stores that fill a split sector: its time by them
// From 14 launches on an H200 (driver 580.159.04, 2026-11-22) that fill sectors field by field, 1, 2 and 4 sectors of a line at
// a time, or leave holes in them: 76, 28 and 10 ns for each 1,000 that must be completed from DRAM.
constexpr double kOneWarpSplit = 19; ///< of the L2, in times of a sector read, for one that one warp fills
constexpr double kScatteredSplit = 12.5; ///< of one that is filled in no order: 50 ns for each 1,000 (scattered.cu, the same GPU, 2026-11-28)
constexpr double kTogetherPower = 1.45; ///< of the sectors of a line that a store writes: the less it takes
// From transposes without shared memory of 58 heights on the same H200, 512 to 16,384 rows: with 8, 16 and 32 stores to a sector
// its L2 takes 65, 62 and 57 stores a nanosecond.
constexpr double kCrowded = 0.006, kCrowdedFrom = 8; ///< longer, for each store more that fills a sector
constexpr double kSharedSector = 3.2; ///< of the L2, in times of a sector read, for one that two blocks fill where the data
                                      ///< outgrows it
// Atomics on global memory, measured on an H200 (driver 580.159.04, 2026-11-22) and an H100 (same driver, 2026-11-26): integers of 4 and 8
// bytes and floats, added to one word, one line, 1, 2, 4 KiB and 4 MiB, at random, by rank, and in runs. Other GPUs: the same of their
// clocks and of their L2's rate, not measured.
constexpr double kAtomicPassClocks = 1.43; ///< of the SM, for one sector, of a slice of the L2: 0.60 to 0.77 ns
constexpr double kAtomicFloatClocks = 3.5; ///< from one floating-point addition to the next to the same word
constexpr double kAtomicSectors = 0.312; ///< of the rate of all of the L2, beside which it answers no loads: at random an H200 does 97 sectors a ns (0.33), an H100 83 (0.33)
// From an atomic to what it has found, and longer each time that a warp's lanes reach twice as many sectors. Measured on an H200 (driver
// 580.159.04, 2026-11-26): chains of additions and of compares and swaps to a table in the L2, one lane and 32 lanes of 132 warps.
constexpr double kAtomicWaitNs = 237, kTwiceTheAtomicsNs = 8; ///< the latter beside what they keep the L2 busy
// From one barrier to the next, and longer for each warp: measured on the same H200, blocks of 32 to 1,024 threads that do nothing
// else.
constexpr double kBarrierClocks = 13, kBarrierWarpClocks = 2;
// Of constants from an address in a register, an address at a time: of an SM whose 32 warps load them, and of one warp. Measured on an
// H200 (driver 580.159.04, 2026-11-23) with 1 to 32 different addresses, of 4 and of 8 bytes.
constexpr double kConstantClocks = 2, kConstantWaitClocks = 11;
constexpr double kConstantMissClocks = 34.5; ///< of a line that the SM's cache of constants lacks: an H100 (same driver, 2026-11-25), tables of 3 to 64 KB
// So much faster where it only reads, or only writes. Measured on an H200 (driver 580.159.04, 2026-11-28): mixed_streams.cu.
constexpr double kReadAlone = 0.03, kWrittenAlone = 0.13, kNotAlone = 2, kLessLoadedAlone = 0.5;
constexpr double kDramRunBytes = 17; ///< a stretch of neighbouring bytes costs DRAM the time of so many where its own time is not known; see
                                     ///< docs/models.md
// From one barrier of the whole grid to the next, beyond a load's answer, and longer for each block that arrives. Measured on an H100
// (driver 580.159.04, 2026-11-25): 1, 4 and 16 barriers of 132, 528 and 1,056 blocks of 256 threads.
constexpr double kGridWaitNs = 530, kGridWaitBlockNs = 1.2;
constexpr double kNegligibleNs = 5;
constexpr double kSmPort = 2; ///< an SM can take so many times its share of the L2's rate: from the
                              ///< recorded launches of few blocks

/// How the grid lies on the chip.
struct Spread {
    Spread(const DeviceModel& device, const Traffic& traffic)
        : sms(std::clamp(traffic.blocks, 1.0, double(device.sms)))
        , blocksPerSm(std::ceil(traffic.blocks / sms))
        , balance(traffic.blocks / sms / std::max(blocksPerSm, 1.0))
    {
    }
    double sms;
    double blocksPerSm; ///< of the SM that has most
    double balance; ///< what an SM has on average, over that
};

/// One block's share of the launch, and what it asks of each station.
class BlockDemand {
public:
    BlockDemand(const DeviceModel& device, const Traffic& traffic, const Occupancy& occupancy,
        const TimeConstants& constants, L2State state)
        : m_device(device)
        , m_traffic(traffic)
        , m_constants(constants)
        , m_spread(device, traffic)
        , m_resident(std::max(occupancy.blocksPerSm, 1))
        , m_warps(std::max(1.0, double(occupancy.warpsPerSm) / m_resident))
        , m_state(state)
        , m_dram(dramTraffic(device, traffic, residentOnChip(), state))
        , m_sectors(cacheSectors(device, traffic, residentOnChip(), state, m_dram))
    {
    }

    [[nodiscard]] BlockWork work() const
    {
        const double waits = waitsForLoads(), ahead = m_traffic.copiesAhead;
        const double turns = waits > 0 ? waits : storesOfAWarp();
        const double rounds = std::round(ahead > 0 ? std::clamp(waits / ahead, 1.0, kMostCopyRounds) : std::clamp(turns, 1.0, kMostRounds));
        BlockWork work { .startNs = startNs(), .copiesAhead = ahead > 0, .storesLast = ahead > 0 && m_traffic.storesAfterCopies };
        work.parts = int(std::clamp(std::round(m_warps / warpsOfAPart()), 1.0, double(kMostParts) / m_resident));
        work.partLeadNs = m_warps * m_constants.warpStartNs / work.parts;
        work.leadNs = m_constants.blockLeadNs + work.partLeadNs;
        // They wait for the last of their warps, and neighbouring warps find the same in the L2.
        const double warps = m_traffic.barriers > 0 ? m_warps : std::min(m_warps, kPartWarps);
        const double fresh = m_traffic.blocksReadTheSame ? 1 : m_traffic.freshLoads; // else counted in missShare
        const double missShare = fresh * (1 - std::pow(1 - m_dram.missShare, std::sqrt(warps)));
        const auto answerNs = [&](double l2Ns, double dramNs) {
            return std::lerp(kL1LatencyNs, l2Ns + dramNs * missShare, leavesL1());
        };
        const double firstNs = answerNs(m_constants.l2LatencyNs, m_constants.dramLatencyNs);
        const double laterNs = answerNs(kLaterL2Ns,
            kLaterDramNs + kTwiceTheLinesNs * std::log2(std::clamp(missShare * linesOfAWait(), 1.0, kMostLinesOfAWait)) + (m_state == L2State::Cold ? kLaterModifiedNs : 0));
        work.rounds = int(rounds);
        const MachineWork& machine = m_traffic.machine;
        const double pieces = std::clamp(std::round(machine.loadInstructions / rounds / kPieceInstructions), 1.0, kMostRounds);
        work.loadTurns = ahead > 0 ? 1 : std::max(loadTurns(), int(pieces));
        const double sharedWaits = machine.known() ? machine.sharedWaits : m_traffic.sharedRounds;
        if (machine.known())
            work.storeTurns = int(std::clamp(
                std::round(std::max(sharedWaits + m_traffic.local.rounds + m_traffic.atomicRounds + m_traffic.constantWaits, machine.storeInstructions / kPieceInstructions) / rounds), 1.0, kMostRounds));
        if (m_traffic.barriers > 0)
            work.meetings = int(std::clamp(
                std::round(rounds * m_traffic.barriers / std::max(1.0, waits)), 1.0, rounds));
        const double answers = waits * answersOfARound() / rounds / std::max(1.0, ahead);
        const double meanNs = std::lerp(laterNs, firstNs, firstShare());
        const double loadingNs = instructionsNs(kLoading, work.parts) / rounds;
        work.loadLatencyNs = (answers * meanNs + (ahead > 0 ? 0 : loadingNs)) / work.loadTurns;
        // What the parts of a block wait for each other is followed, not what warps of one part do. At the other barriers the
        // warps are still together.
        const double barriers = std::min(m_traffic.barriers, waits) / work.parts;
        const double others = std::max(0.0, m_traffic.barriers - std::max(1.0, waits));
        const LocalTraffic& local = m_traffic.local;
        const double localNs = std::lerp(kL1LatencyNs, kLaterL2Ns + kLaterDramNs * local.goneShare, local.missingTurns);
        work.sharedLatencyNs = sharedWaits * kSharedLatencyNs / rounds / work.storeTurns;
        work.storeLatencyNs = (barriers * m_constants.barrierNs
                                  + others * (kBarrierClocks + kBarrierWarpClocks * m_warps) / m_device.clockGHz + local.rounds * localNs
                                  + constantWaitNs(work.parts)
                                  + m_traffic.sharedLockClocks / m_device.clockGHz + m_traffic.atomicRounds * atomicWaitNs()
                                  + instructionsNs(kStoring, work.parts) + (ahead > 0 ? loadingNs * rounds : 0))
            / rounds / work.storeTurns;
        work.load = { lsuNs(0, m_traffic.loadRequests, m_traffic.loadTags),
            dataNs(m_traffic.loadWavefronts + kFillWavefronts * m_traffic.l1ReadShare * m_traffic.loadTags),
            issueNs(kLoading), l2PiecesNs(m_traffic.loadTags * m_traffic.l1ReadShare), l2AnswersNs(m_sectors.l1Read - local.missedSectors()),
            readNs() + pushedOutByLoads() * writtenBackNs() };
        work.shared[std::size_t(Station::Data)] = sharedNs();
        const double localMisses = local.missShare * local.loadTags;
        work.store = { lsuNs(m_traffic.storeRequests + local.storeRequests, m_traffic.sharedInstructions + local.loadRequests, local.loadTags),
            dataNs(m_traffic.storeTags + local.storeTags + local.loadRequests + kFillWavefronts * localMisses),
            issueNs(kStoring), l2StoresNs() + l2PiecesNs(local.storeSectors + local.partStoreTags + localMisses), l2AnswersNs(local.missedSectors()),
            (1 - pushedOutByLoads()) * writtenBackNs(), constantsNs(), 0 };
        work.store[std::size_t(Station::Atomics)] = atomicsNs(busyNs(work, Station::L2)) / m_spread.blocksPerSm;
        return work;
    }
    /// Where the blocks take so many times as long as equal ones.
    [[nodiscard]] double launchedNs(double longer) const
    {
        // The smallest kernel has the start and lead of a block of one warp in it.
        const double before = m_device.launchNs - startNs() - m_constants.blockLeadNs - m_constants.warpStartNs + gridWaitsNs() + (m_state == L2State::Emptied ? kEmptiedNs : 0);
        BlockWork work = this->work();
        const int blocks = int(m_spread.blocksPerSm);
        const double ns = smWavesNs(work, blocks, m_resident);
        // The nearer DRAM is to its limit, the longer it takes to answer.
        const double busy = busyNs(work, Station::Dram) / ns;
        const double more = (1 - kLessLoadedAlone * readAlone()) * kLoadedLatency * std::pow(busy, kLoadedPower) * m_constants.dramLatencyNs * m_dram.missShare * leavesL1();
        if (more < kNegligibleNs)
            return before + ns * longer;
        work.loadLatencyNs += waitsForLoads() / work.rounds / std::max(1.0, m_traffic.copiesAhead) * more;
        return before + smWavesNs(work, blocks, m_resident) * longer;
    }
    /// How much longer the blocks take because some have more to do.
    [[nodiscard]] double unequal() const
    {
        if (m_traffic.issuedByBlock.empty())
            return 1;
        const BlockWork work = this->work();
        double ofSmNs = 0, ofChipNs = 0;
        for (std::size_t s = 0; s < kStationCount; ++s) {
            double& busiest = isOfChip(Station(s)) ? ofChipNs : ofSmNs;
            busiest = std::max(busiest, work.busyNs(Station(s)));
        }
        BlockPace pace { .startNs = work.startNs,
            .leadNs = work.leadNs,
            .aloneNs = smWavesNs(work, 1, 1) - work.startNs - work.leadNs,
            .sharedNs = std::max(ofSmNs, ofChipNs),
            .pools = int(m_spread.sms),
            .slots = m_resident };
        if (ofChipNs > ofSmNs) { // the SMs share what is short
            pace.startNs /= pace.pools;
            pace.sharedNs /= pace.pools;
            pace.slots *= std::exchange(pace.pools, 1);
        }
        return unequalBlocks(m_traffic.issuedByBlock, pace);
    }
    [[nodiscard]] const CacheSectors& sectors() const { return m_sectors; }
    /// What each resource would take alone; atomics only where there are any.
    [[nodiscard]] std::vector<TimeTerm> terms() const
    {
        const BlockWork block = work();
        const double n = m_spread.blocksPerSm;
        const auto busy = [&](Station station) { return busyNs(block, station); };
        const double loadsNs = block.loadTurns * block.loadLatencyNs, othersNs = block.storeTurns * (block.sharedLatencyNs + block.storeLatencyNs);
        const double waits
            = block.leadNs + (block.copiesAhead ? loadsNs + block.rounds * std::max(loadsNs, othersNs) : block.rounds * (loadsNs + othersNs));
        std::vector<TimeTerm> terms { TimeTerm { "launch", m_device.launchNs }, { "dram", busy(Station::Dram) },
            { "l2", std::max(busy(Station::L2), busy(Station::L2Answers)) }, { "lsu", busy(Station::Lsu) },
            { "shared", n * sharedNs() }, { "l1", busy(Station::Data) - n * sharedNs() }, { "issue", busy(Station::Issue) },
            { "latency", std::max(1.0, n / m_resident) * waits }, { "blocks", n * block.startNs } };
        if (m_traffic.constantAddresses > 0)
            terms.push_back({ "constants", busy(Station::Constants) });
        if (m_traffic.atomicPasses > 0)
            terms.push_back({ "atomics", busy(Station::Atomics) });
        if (m_traffic.gridWaits > 0)
            terms.push_back({ "waits", gridWaitsNs() });
        return terms;
    }

private:
    /// In which all blocks wait for each other.
    [[nodiscard]] double gridWaitsNs() const { return m_traffic.gridWaits * (kGridWaitNs + kGridWaitBlockNs * m_traffic.blocks); }
    /// Blocks, at most.
    [[nodiscard]] double residentOnChip() const { return m_spread.sms * m_resident; }
    /// From one block's start on an SM to the next's, when all SMs start blocks.
    [[nodiscard]] double startNs() const { return std::max(kSmStartNs, m_constants.blockStartNs * m_device.sms); }
    /// What a station works for all blocks of an SM.
    [[nodiscard]] double busyNs(const BlockWork& block, Station station) const
    {
        return m_spread.blocksPerSm * block.busyNs(station);
    }
    /// A chip-wide time, of one block when all SMs are at it; few SMs cannot use all of L2 and DRAM.
    [[nodiscard]] double chipNs(double wholeGridNs) const
    {
        const double sms = std::max(m_spread.sms, m_device.sms / kSmPort);
        return wholeGridNs / m_traffic.blocks * sms * m_spread.balance;
    }
    [[nodiscard]] double smNs(double wholeGridClocks) const
    {
        return wholeGridClocks / m_traffic.blocks / m_device.clockGHz;
    }
    /// A load's tags are looked up a few at a time; a store's wait outside, for the L2.
    [[nodiscard]] double lsuNs(double stores, double others, double loadTags) const
    {
        return smNs(std::max(
            stores * m_constants.storeClocks + others * m_constants.requestClocks, loadTags / m_device.lsuTagsPerClock));
    }
    [[nodiscard]] double sharedNs() const
    {
        const double more = std::max(0.0, m_traffic.sharedWavefronts - m_traffic.sharedInstructions);
        return dataNs(m_traffic.sharedWavefronts + kLostWavefronts * more);
    }
    /// The stage that serves shared memory hands on global accesses as well: what is loaded by banks, what is stored a
    /// line a wavefront.
    [[nodiscard]] double dataNs(double wavefronts) const
    {
        return smNs(wavefronts / m_device.sharedWavefrontsPerClock);
    }
    /// Share of the turns in which a warp's loads do not find all they want in L1.
    [[nodiscard]] double leavesL1() const
    {
        const double turns = m_traffic.wholeBlocks * m_warps * std::max(1.0, waitsForLoads()) * loadTurns();
        const double inFlight = m_traffic.loadTags / turns * m_warps * std::min(double(m_resident), m_spread.blocksPerSm);
        const double sectors = m_traffic.loadSectors / std::min(turns, std::max(1.0, m_traffic.loadRequests));
        const double crowded = 1 - std::pow(1 - std::clamp(m_traffic.l1ReadShare, 0.0, 1.0), std::max(1.0, sectors));
        if (m_traffic.missingTurns < 0)
            return crowded;
        return std::lerp(m_traffic.missingTurns, std::max(crowded, m_traffic.missingTurns),
            std::clamp((inFlight - kFewLinesInFlight) / (kManyLinesInFlight - kFewLinesInFlight), 0.0, 1.0));
    }
    /// Fewer where an SM has few, but those of a scheduler together where a block's meet at a barrier in every round.
    [[nodiscard]] double warpsOfAPart() const
    {
        const double ofAnSm = m_warps * std::min(double(m_resident), m_spread.blocksPerSm);
        const bool meet = m_traffic.barriers >= std::max(1.0, waitsForLoads());
        return std::clamp(ofAnSm / (meet ? kSchedulers : kFewestParts), 1.0, kPartWarps);
    }
    [[nodiscard]] double atomicWaitNs() const
    {
        return kAtomicWaitNs + kTwiceTheAtomicsNs * std::log2(std::max(1.0, m_traffic.atomicSectors / std::max(1.0, m_traffic.atomicRequests)));
    }
    /// Of a block's waits for loads, that for the first.
    [[nodiscard]] double firstShare() const { return 1 / (std::max(1.0, waitsForLoads()) * answersOfARound()); }
    /// Lines that a warp asks for beyond L1 before it waits for them, in a loop: what one round asks for is on its way together, however
    /// often it is waited for.
    [[nodiscard]] double linesOfAWait() const
    {
        const double waits = m_traffic.wholeBlocks * m_warps * std::max(1.0, waitsForLoads()) * answersOfARound();
        return waits > 0 && waitsForLoads() > 1 ? m_traffic.loadTags * m_traffic.l1ReadShare / waits : 1;
    }
    /// How often a warp waits for global loads, or for copies where it waits for those more often.
    [[nodiscard]] double waitsForLoads() const { return std::max(m_traffic.loadRounds, m_traffic.copyRounds); }
    [[nodiscard]] double storesOfAWarp() const { return m_traffic.storeRequests / std::max(1.0, m_traffic.wholeBlocks * m_warps); }
    /// How often a round waits for its loads: as often as the machine code does, and for no more at once than L1 has lines for.
    [[nodiscard]] double answersOfARound() const
    {
        const double rounds = std::max(1.0, waitsForLoads());
        const double waits = m_traffic.machine.loadWaits / rounds;
        const double fills = m_traffic.l1Lines > 0 ? std::ceil(m_traffic.loadedLines / rounds / m_traffic.l1Lines) : 1;
        return std::max({ waits, fills, 1.0 });
    }
    /// The turns in which they are followed.
    [[nodiscard]] int loadTurns() const { return int(std::round(std::min(answersOfARound(), kMostRounds))); }
    /// Of the instructions, those of one half of a block's rounds.
    enum Half { kLoading, kStoring };
    [[nodiscard]] double shareOf(Half half) const
    {
        const MachineWork& machine = m_traffic.machine;
        const double loading = machine.known()
            ? machine.loadInstructions / (machine.loadInstructions + machine.storeInstructions)
            : kIssuedForLoads;
        return half == kLoading ? loading : 1 - loading;
    }
    [[nodiscard]] double issueNs(Half half) const
    {
        const MachineWork& machine = m_traffic.machine;
        const double instructions = machine.known()
            ? (machine.loadInstructions + machine.storeInstructions) * m_warps * m_traffic.wholeBlocks
            : m_traffic.program.instructions;
        return smNs(shareOf(half) * instructions * slotsOfAnInstruction() / kSchedulers);
    }
    /// On average; more where they queue for one of the scheduler's pipes.
    [[nodiscard]] double slotsOfAnInstruction() const
    {
        const MachineWork& machine = m_traffic.machine;
        const double doubleClocks = kWarpLanes * kSchedulers / m_device.doublesPerClock;
        if (!machine.known()) {
            const ProgramWork& program = m_traffic.program;
            const double busiest = std::max(doubleClocks * program.doubles, kSpecialClocks * program.specials);
            return std::max(kPtxSlots, program.instructions > 0 ? busiest / program.instructions : 0);
        }
        const double busiest = std::max({ kIntegerClocks * machine.integers, kIntegerClocks * machine.products,
            doubleClocks * machine.doubles, kSpecialClocks * machine.specials, m_device.matrixClocks * machine.matrices });
        const double issuing = m_constants.issueSlots * machine.issueClocks, issued = machine.loadInstructions + machine.storeInstructions;
        return std::pow(std::pow(issuing, kBusyPower) + std::pow(busiest, kBusyPower), 1 / kBusyPower) / issued;
    }
    /// A warp's instructions one after the other, as far as that takes longer than issuing those of all of the part's warps.
    [[nodiscard]] double instructionsNs(Half half, int parts) const
    {
        const MachineWork& machine = m_traffic.machine;
        // By PTX, an instruction needs the one before; multiply-adds of a product do not.
        const double clocks = machine.known()
            ? (half == kLoading
                      ? machine.loadClocks + kOtherWaitClocks * machine.loadOtherWaits + kShuffleClocks * machine.loadShuffleWaits
                      : machine.storeClocks + kOtherWaitClocks * machine.storeOtherWaits + kShuffleClocks * machine.storeShuffleWaits)
                * m_traffic.wholeBlocks
            : shareOf(half) / m_warps
                * (kDependentClocks * (m_traffic.program.instructions - m_traffic.multiplyAdds) + kShuffleClocks * m_traffic.program.shuffles);
        return std::max(0.0, smNs(clocks) - issueNs(half) / parts);
    }
    /// What goes into the L2: a request for a line or a sector in one piece.
    [[nodiscard]] double l2PiecesNs(double pieces) const
    {
        const double rate = m_device.l2WriteSectorsPerNs > 0 ? m_device.l2WriteSectorsPerNs
                                                             : kWriteRate * m_device.l2SectorsPerNs;
        return chipNs(pieces / (kOfWriteRate * rate));
    }
    [[nodiscard]] double l2AnswersNs(double sectors) const { return chipNs(sectors / (kOfReadRate * m_device.l2SectorsPerNs)); }
    [[nodiscard]] double l2StoresNs() const
    {
        // Where sectors are not filled, a line's request says which bytes are.
        const double begunShare = analysis::begunShare(m_traffic);
        const double residentOfAnSm = std::min(double(m_resident), m_spread.blocksPerSm);
        const JoinedSectors joined = joinedSectors(m_traffic, m_dram);
        const double pieces = m_traffic.storeSectors - joined.beforeL2 - joined.inL2
            + begunShare
                * std::max(0.0, storeLineRequests(m_traffic, residentOfAnSm, m_dram) - joined.withTheirLines);
        // The more stores fill a sector, the less each of them adds.
        const double written = m_traffic.writeBytes / kSectorBytes;
        const double begun = written * begunShare;
        const double storesOfASector = begun > 0 ? 1 + std::max(0.0, m_traffic.storeSectors - m_traffic.joinedSectors * m_traffic.blocks - written) / begun : 1;
        const double split = splitSectors(m_device, m_traffic, residentOnChip(), m_dram);
        const double byOneWarp = openByOneWarpShare(m_traffic), ofALine = std::pow(sectorsOfALine(m_traffic), kTogetherPower);
        const double again = m_traffic.holesStoredAgain * m_traffic.blocks * m_dram.holeShare;
        const double completed = (1 - byOneWarp) * split * m_constants.splitSectorSectors / std::pow(storesOfASector, kSplitPower)
            + (byOneWarp * split + again) * kOneWarpSplit / ofALine + m_dram.scatteredCompleted * kScatteredSplit;
        const double shared
            = m_traffic.sharedSectors * m_traffic.blocks * m_dram.splitShare / std::max(1.0, storesOfASector / 2);
        // Parts that are stored again are no further parts.
        const double parts = std::min(storesOfASector, kSectorBytes / std::max(1.0, m_traffic.storeLaneBytes));
        const double crowded = 1 + kCrowded * begunShare * std::max(0.0, parts - kCrowdedFrom);
        return l2PiecesNs(pieces * crowded) + l2AnswersNs(completed + shared * kSharedSector);
    }
    [[nodiscard]] double constantsNs() const { return smNs(constantClocks(kConstantClocks)); }
    /// A warp's wait beyond what the loads of its part keep the cache of constants busy.
    [[nodiscard]] double constantWaitNs(int parts) const
    {
        return std::max(0.0, smNs(constantClocks(kConstantWaitClocks * m_traffic.constantWaitShare)) / m_warps - constantsNs() / parts);
    }
    /// Of all loads of constants, so many for an address that the SM's cache holds: what it lacks comes meanwhile, a line at a time.
    [[nodiscard]] double constantClocks(double ofAddress) const
    {
        return std::max(m_traffic.constantAddresses * ofAddress, m_traffic.constantMisses * kConstantMissClocks);
    }
    /// Of all blocks: in the slice that is waited for, or in all of the L2, which does nothing else meanwhile. `piecesNs`: that takes.
    [[nodiscard]] double atomicsNs(double piecesNs) const
    {
        if (m_traffic.atomicPasses == 0)
            return 0;
        const double ofASliceClocks = std::max(m_traffic.atomicPassesOfASlice * kAtomicPassClocks, m_traffic.atomicFloatsOfAWord * kAtomicFloatClocks);
        return std::max(ofASliceClocks / m_device.clockGHz, m_traffic.atomicPasses / (kAtomicSectors * m_device.l2SectorsPerNs) + piecesNs);
    }
    /// How far DRAM only reads, or only writes: not where half as much of the other kind comes to it, or later.
    [[nodiscard]] static double aloneShare(double bytes, double otherBytes) { return bytes > 0 ? std::max(0.0, 1 - kNotAlone * otherBytes / bytes) : 0; }
    [[nodiscard]] double readAlone() const { return aloneShare(m_traffic.readBytes, std::max(m_traffic.writeBytes, m_dram.writeBytes)); }
    [[nodiscard]] double writtenAlone() const { return aloneShare(m_traffic.writeBytes, std::max(m_traffic.readBytes, m_dram.readBytes)); }
    /// DRAM loses time with each stretch of neighbouring bytes, at most a line long; where the stores of the blocks go on
    /// where others end, or nothing is stored, only with stretches shorter than a line.
    [[nodiscard]] double dramNs(double bytes, double runsOfABlock, double share, double alone, double fasterAlone) const
    {
        const double runs = runsOfABlock * m_traffic.blocks * share, lines = bytes / kCacheLineBytes;
        const double shorter = std::max(0.0, runs - lines);
        const double stretches = m_traffic.storesContinue ? shorter : std::lerp(std::max(runs, lines), shorter, alone);
        const double runNs = m_device.dramRunNs > 0 ? m_device.dramRunNs : kDramRunBytes / m_device.dramBytesPerNs;
        return chipNs(bytes / (m_device.dramBytesPerNs * (1 + fasterAlone * alone)) + stretches * runNs);
    }
    [[nodiscard]] double readNs() const
    {
        return dramNs(m_dram.readBytes, m_traffic.readRuns, m_dram.missShare, readAlone(), kReadAlone);
    }
    [[nodiscard]] double writtenBackNs() const
    {
        return dramNs(m_dram.writeBytes + holeBytes(m_traffic, m_dram), m_traffic.writeRuns, m_dram.writeShare,
            writtenAlone(), kWrittenAlone);
    }
    /// What is written leaves the L2 when something else needs its room: as often for what is read as that comes in, and then the
    /// load waits. Share of what is written back.
    [[nodiscard]] double pushedOutByLoads() const
    {
        const double both = m_dram.readBytes + m_dram.writeBytes;
        return both > 0 ? m_dram.readBytes / both : 0;
    }

    const DeviceModel& m_device;
    const Traffic& m_traffic;
    const TimeConstants& m_constants;
    Spread m_spread;
    int m_resident;
    double m_warps; ///< of a block
    L2State m_state;
    DramTraffic m_dram;
    CacheSectors m_sectors;
};

/// The second of each: by PTX alone, where the registers and the machine code are not known.
struct RecordedError {
    Metric metric;
    std::array<double, 2> catalogue, others; ///< others: that their data do not lead
    std::array<double, 2> ledByData; ///< as coalescope_model prints it: most of them are slow to predict
};
struct DeviceErrors {
    std::string_view device;
    std::array<RecordedError, 7> errors;
};
constexpr std::array kRecordedErrors {
    DeviceErrors { "h200",
        { RecordedError { Metric::L1ReadSectors, { 0.002, 0.002 }, { 0.025, 0.032 }, { 0.132, 0.156 } },
            RecordedError { Metric::L1WriteSectors, { 0.006, 0.006 }, { 0.010, 0.044 }, { 0.044, 0.053 } },
            RecordedError { Metric::L2ReadSectors, { 0.023, 0.023 }, { 0.045, 0.046 }, { 0.184, 0.203 } },
            RecordedError { Metric::L2WriteSectors, { 0.007, 0.007 }, { 0.018, 0.052 }, { 0.061, 0.084 } },
            RecordedError { Metric::DramReadSectors, { 0.069, 0.069 }, { 0.121, 0.097 }, { 0.456, 0.456 } },
            RecordedError { Metric::DramWriteSectors, { 0.066, 0.066 }, { 0.150, 0.150 }, { 0.282, 0.345 } },
            RecordedError { Metric::Duration, { 0.047, 0.050 }, { 0.077, 0.120 }, { 0.147, 0.162 } } } },
    DeviceErrors { "h100-sxm",
        { RecordedError { Metric::L1ReadSectors, { 0.003, 0.003 }, { 0.025, 0.041 }, { 0.108, 0.108 } },
            RecordedError { Metric::L1WriteSectors, { 0.005, 0.005 }, { 0.015, 0.045 }, { 0.043, 0.047 } },
            RecordedError { Metric::L2ReadSectors, { 0.021, 0.021 }, { 0.040, 0.053 }, { 0.128, 0.123 } },
            RecordedError { Metric::L2WriteSectors, { 0.007, 0.007 }, { 0.021, 0.053 }, { 0.056, 0.064 } },
            RecordedError { Metric::DramReadSectors, { 0.051, 0.051 }, { 0.113, 0.082 }, { 0.289, 0.290 } },
            RecordedError { Metric::DramWriteSectors, { 0.053, 0.053 }, { 0.110, 0.118 }, { 0.292, 0.345 } },
            RecordedError { Metric::Duration, { 0.046, 0.049 }, { 0.068, 0.119 }, { 0.132, 0.145 } } } },
};

/// The longest term; shared memory and L1 share one stage, of which the longer is named.
std::string limiterOf(std::span<const TimeTerm> terms)
{
    const auto isOfDataStage = [](const TimeTerm& term) { return term.name == "shared" || term.name == "l1"; };
    double dataStageNs = 0;
    for (const TimeTerm& term : terms)
        dataStageNs += isOfDataStage(term) ? term.ns : 0;
    return std::ranges::max_element(terms, {}, [&](const TimeTerm& term) { return std::pair(isOfDataStage(term) ? dataStageNs : term.ns, term.ns); })->name;
}

} // namespace

std::optional<double> recordedError(const DeviceModel& device, Metric metric, ErrorBasis basis)
{
    const auto row = std::ranges::find(kRecordedErrors, device.name, &DeviceErrors::device);
    if (!device.errorsRecorded || row == kRecordedErrors.end())
        return {};
    const auto found = std::ranges::find(row->errors, metric, &RecordedError::metric);
    if (found == row->errors.end())
        return {};
    const auto& ofOthers = basis.ledByData ? found->ledByData : found->others;
    return (basis.ofCatalogue ? found->catalogue : ofOthers)[basis.registersKnown ? 0 : 1];
}

Estimate estimate(const DeviceModel& device, const Traffic& traffic, const Occupancy& occupancy,
    const TimeConstants& constants)
{
    const auto demand
        = [&](L2State state) { return BlockDemand(device, traffic, occupancy, constants, state); };
    const BlockDemand profiled = demand(L2State::Profiled);
    Estimate result { .sectors = profiled.sectors() };
    TimeValues& time = result.time;
    time.terms = profiled.terms();
    time.limiter = limiterOf(time.terms);
    const double longer = profiled.unequal();
    time.estimateNs = profiled.launchedNs(longer);
    const double more = constants.windowNs - device.launchNs;
    time.warmNs = demand(L2State::Warm).launchedNs(longer) + more;
    time.coldNs = std::max(*time.warmNs, demand(L2State::Cold).launchedNs(longer) + more); // followed otherwise, it may come out a little less
    const BlockDemand emptied = demand(L2State::Emptied);
    result.emptiedSectors = emptied.sectors();
    result.emptiedNs = emptied.launchedNs(longer);
    return result;
}

} // namespace coalescope::analysis
