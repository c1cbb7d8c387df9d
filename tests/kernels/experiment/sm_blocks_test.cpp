// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/sm_blocks.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace {

using namespace coalescope;
using analysis::L1Use;
using analysis::TraceStep;

constexpr std::uint64_t kOwn = 0x1000000, kTable = 0x80000000;
constexpr std::uint32_t kOwnLoad = 0, kTableLoad = 1;
const std::vector<std::uint32_t> kGroups { 0, 1, 1, 1 }; ///< of instructions

/// A whole line: 32 lanes of 4 bytes, 4 sectors.
TraceStep load(std::uint32_t instruction, std::uint64_t address, L1Use use = L1Use::Cached)
{
    TraceStep step { .instruction = instruction };
    step.access = { .l1 = use, .active = analysis::kAllLanes };
    for (std::size_t lane = 0; lane < 32; ++lane)
        step.access.address[lane] = address + lane * 4;
    return step;
}

/// One warp's loads of as many lines from the table's begin.
std::vector<TraceStep> tableOf(std::uint64_t lines, L1Use use = L1Use::Cached)
{
    std::vector<TraceStep> steps;
    for (std::uint64_t line = 0; line < lines; ++line)
        steps.push_back(load(kTableLoad, kTable + 128 * line, use));
    return steps;
}

/// Blocks that do what the trace does, each `ownShift` bytes further on in what is its own.
class Blocks {
public:
    Blocks(std::vector<std::vector<TraceStep>> warps, std::int64_t ownShift, std::size_t count,
        std::size_t resident)
    {
        m_trace.warps = std::move(warps);
        const auto accesses = std::make_shared<const kernels::BlockAccesses>(m_trace);
        for (std::size_t i = 0; i < count; ++i)
            m_blocks.followed.push_back({ accesses, { std::int64_t(i) * ownShift, 0 }, std::int64_t(i) * ownShift });
        m_blocks.groupOf = kGroups;
        m_blocks.resident = resident;
        m_blocks.all = count;
    }
    Blocks(const Blocks&) = delete;
    [[nodiscard]] kernels::MissShares misses(std::size_t l1Lines, std::size_t all = 0, unsigned sampled = 1)
    {
        m_blocks.all = std::max(all, m_blocks.followed.size());
        return kernels::l1Misses(m_blocks, l1Lines, sampled).global;
    }
    [[nodiscard]] double share(std::size_t l1Lines, std::size_t all = 0, unsigned sampled = 1)
    {
        return misses(l1Lines, all, sampled).sectors;
    }
    kernels::SmBlocks* operator->() { return &m_blocks; }
    const kernels::SmBlocks& operator*() const { return m_blocks; }

private:
    analysis::BlockTrace m_trace;
    kernels::SmBlocks m_blocks;
};

TEST(SmBlocks, aVectorThatEveryBlockReadsIsFetchedOnceAnSm)
{
    Blocks blocks({ { load(kOwnLoad, kOwn), load(kTableLoad, kTable) } }, 128, 6, 2);
    EXPECT_DOUBLE_EQ(blocks.share(100), (6 * 4 + 4) / 48.0);
}

TEST(SmBlocks, blocksThatShareNothingMissWhatTheyAskFor)
{
    Blocks blocks({ { load(kOwnLoad, kOwn), load(kOwnLoad, kOwn + 128) } }, 256, 6, 2);
    EXPECT_DOUBLE_EQ(blocks.share(100), 1);
}

TEST(SmBlocks, aTableThatFitsL1StaysThereForTheNextBlocks)
{
    Blocks blocks({ tableOf(8) }, 0, 5, 1);
    EXPECT_DOUBLE_EQ(blocks.share(8), 1 / 5.0);
}

TEST(SmBlocks, aTableLargerThanL1IsFetchedAgain)
{
    Blocks blocks({ tableOf(80) }, 0, 5, 1);
    EXPECT_DOUBLE_EQ(blocks.share(64), 1) << "each line goes just before it is asked for again";
}

TEST(SmBlocks, whatOneTurnLoadsStaysUntilItIsDone)
{
    // Four loads of a quarter of a line each, of many warps: together each finds what the one before brought.
    std::vector<std::vector<TraceStep>> together, apart;
    for (std::uint64_t warp = 0; warp < 64; ++warp) {
        together.emplace_back();
        apart.emplace_back();
        for (std::uint32_t turn = 0; turn < 4; ++turn) {
            together.back().push_back(load(kOwnLoad + turn, kOwn + 128 * warp));
            apart.back().push_back(load(kOwnLoad, kOwn + 128 * warp));
        }
    }
    Blocks inOneTurn(together, 1 << 20, 1, 1), inFour(apart, 1 << 20, 1, 1);
    EXPECT_DOUBLE_EQ(inOneTurn.share(8), 1 / 4.0);
    EXPECT_DOUBLE_EQ(inFour.share(8), 1);
}

TEST(SmBlocks, aTurnThatFindsAllIsToldFromOneThatMissesSomething)
{
    auto again = tableOf(8);
    const auto once = again;
    again.insert(again.end(), once.begin(), once.end());
    Blocks inAnotherTurn({ again }, 0, 1, 1);
    EXPECT_DOUBLE_EQ(inAnotherTurn.misses(100).turns, 1 / 2.0) << "the second half finds what the first has brought";
    // Of two loads in one turn, the second is of a line that the first turn has brought.
    const auto first = load(kTableLoad, kTable);
    Blocks inOneTurn({ { first, load(kOwnLoad, kOwn), first, load(kOwnLoad, kOwn + 128), first, load(kOwnLoad, kOwn + 256) } }, 0, 1, 1);
    EXPECT_LT(inOneTurn.misses(100).sectors, 1);
    EXPECT_DOUBLE_EQ(inOneTurn.misses(100).turns, 1);
}

TEST(SmBlocks, storesPushOutWhatIsReadAgain)
{
    const auto reads = tableOf(6);
    std::vector<TraceStep> stores;
    for (std::uint64_t line = 0; line < 6; ++line) {
        stores.push_back(load(kOwnLoad, kOwn + 128 * line));
        stores.back().access.op = analysis::MemoryOp::Store;
    }
    std::vector<TraceStep> steps(reads);
    steps.insert(steps.end(), reads.begin(), reads.end());
    Blocks alone({ steps }, 0, 1, 1);
    EXPECT_DOUBLE_EQ(alone.share(8), 1 / 2.0);
    steps = reads;
    steps.insert(steps.end(), stores.begin(), stores.end());
    steps.insert(steps.end(), reads.begin(), reads.end());
    Blocks between({ steps }, 0, 1, 1);
    EXPECT_GT(between.share(8), 0.7);
}

TEST(SmBlocks, residentBlocksReadATableTogetherHoweverSmallL1Is)
{
    Blocks blocks({ tableOf(8) }, 0, 4, 2);
    EXPECT_DOUBLE_EQ(blocks.share(2), 1 / 2.0);
}

TEST(SmBlocks, warpsTakeTurns)
{
    // Two warps read the same lines: together where they take turns.
    Blocks blocks({ tableOf(8), tableOf(8) }, 0, 1, 1);
    EXPECT_DOUBLE_EQ(blocks.share(1), 1 / 2.0);
}

TEST(SmBlocks, blocksThatAreNotFollowedAreLikeTheLaterOnes)
{
    Blocks blocks({ { load(kOwnLoad, kOwn), load(kTableLoad, kTable) } }, 128, 4, 1);
    EXPECT_DOUBLE_EQ(blocks.share(100, 1000), (1000 * 4 + 4) / 8000.0);
}

TEST(SmBlocks, aBlockThatMovesByPartOfALineMeetsItsNeighbour)
{
    // Each block reads 4 sectors and the next one begins 2 sectors further on.
    Blocks blocks({ { load(kOwnLoad, kOwn) } }, 64, 3, 1);
    EXPECT_DOUBLE_EQ(blocks.share(100), (4 + 2 + 2) / 12.0);
    Blocks bytes({ { load(kOwnLoad, kOwn) } }, 4, 2, 1);
    EXPECT_DOUBLE_EQ(bytes.share(100), (4 + 1) / 9.0)
        << "4 bytes on, the load touches a fifth sector";
}

TEST(SmBlocks, loadsPastL1AreNeverHits)
{
    Blocks blocks({ tableOf(2, L1Use::Bypassed) }, 0, 5, 1);
    EXPECT_DOUBLE_EQ(blocks.share(100), 1);
}

TEST(SmBlocks, loadsThatDoNotAllocateFindWhatOthersBrought)
{
    Blocks alone({ tableOf(2, L1Use::NoAllocate) }, 0, 5, 1);
    EXPECT_DOUBLE_EQ(alone.share(100), 1);
    auto steps = tableOf(1);
    steps.push_back(load(kTableLoad, kTable, L1Use::NoAllocate));
    Blocks after({ steps }, 0, 1, 1);
    EXPECT_DOUBLE_EQ(after.share(100), 1 / 2.0);
}

TEST(SmBlocks, blocksApartFindOnlyWhatL1StillHas)
{
    Blocks blocks({ tableOf(640) }, 0, 2, 2);
    EXPECT_DOUBLE_EQ(blocks.share(64), 1 / 2.0) << "in step";
    blocks->apart = 1;
    EXPECT_GT(blocks.share(64), 0.9);
    EXPECT_DOUBLE_EQ(blocks.share(6400), 1 / 2.0) << "where L1 holds all";
}

TEST(SmBlocks, ofBlocksApartEachIsFollowedToItsEnd)
{
    // Own lines are asked for, and missed, once each; the table's line by all, and missed by the first.
    Blocks blocks({ { load(kOwnLoad, kOwn), load(kTableLoad, kTable), load(kOwnLoad, kOwn + 128), load(kOwnLoad, kOwn + 256) } }, 384, 9, 3);
    blocks->apart = 0.7;
    EXPECT_DOUBLE_EQ(blocks.share(1000), (9 * 3 + 1) / 36.0);
}

TEST(SmBlocks, aWaveThatIsFollowedAloneFindsNothingOfTheOneBefore)
{
    Blocks blocks({ tableOf(8) }, 0, 6, 2);
    EXPECT_DOUBLE_EQ(blocks.share(100), 1 / 6.0);
    blocks->eachWaveAlone = true;
    EXPECT_DOUBLE_EQ(blocks.share(100), 1 / 2.0);
    blocks->apart = 1;
    EXPECT_DOUBLE_EQ(blocks.share(100), 1 / 2.0);
    EXPECT_DOUBLE_EQ(blocks.share(1), 1) << "each wave's are apart";
}

TEST(SmBlocks, whatIsMissedIsToldByGroup)
{
    Blocks blocks({ { load(kOwnLoad, kOwn), load(kTableLoad, kTable) } }, 128, 6, 2);
    const auto misses = kernels::l1Misses(*blocks, 100, 1);
    EXPECT_EQ(misses.ofGroups, (std::vector { 1.0, 1 / 6.0 }));
}

/// Loads of random lines, some of them of every block.
std::vector<std::vector<TraceStep>> anyLoads(
    std::mt19937& random, std::uint64_t lines, std::size_t count)
{
    std::uniform_int_distribution<std::uint64_t> line(0, lines - 1);
    std::vector<std::vector<TraceStep>> warps(3);
    for (auto& warp : warps) {
        while (warp.size() < count) {
            warp.push_back(load(kTableLoad, kTable + 128 * line(random)));
            warp.push_back(load(kOwnLoad, kOwn + 128 * line(random)));
        }
    }
    return warps;
}

TEST(SmBlocks, aSampleOfTheLinesTellsTheSame)
{
    std::mt19937 random(1);
    Blocks blocks(anyLoads(random, 2000, 4000), 1 << 20, 8, 4);
    for (const std::size_t l1Lines : { 512, 2048, 8192 })
        EXPECT_NEAR(blocks.share(l1Lines, 0, 8), blocks.share(l1Lines), 0.05) << l1Lines;
}

TEST(SmBlocks, neverMoreThanIsAskedForNorLessThanIsDistinct)
{
    std::mt19937 random(2);
    for (int run = 0; run < 50; ++run) {
        const std::uint64_t lines = 1 + random() % 40;
        const auto warps = anyLoads(random, lines, 1 + random() % 60);
        std::set<std::uint64_t> table, own;
        double asked = 0;
        for (const auto& warp : warps) {
            asked += double(warp.size());
            for (const TraceStep& step : warp)
                (step.instruction == kOwnLoad ? own : table).insert(step.access.address[0]);
        }
        const std::size_t count = 1 + random() % 9;
        Blocks blocks(warps, 1 << 20, count, 1 + random() % 4);
        const double distinct = double(table.size() + count * own.size()) / (asked * double(count));
        for (const std::size_t l1Lines : { 1, 16, 100000 }) {
            const double share = blocks.share(l1Lines);
            EXPECT_LE(share, 1);
            EXPECT_GE(share, distinct * (1 - 1e-12));
        }
        EXPECT_NEAR(blocks.share(100000), distinct, 1e-12)
            << "an L1 that holds all misses each once";
    }
}

/// Every lane's element of so many bytes.
TraceStep localStep(analysis::MemoryOp op, std::uint64_t element, std::uint8_t width = 4)
{
    TraceStep step;
    step.access = { .space = analysis::Space::Local, .op = op, .widthBytes = width, .active = analysis::kAllLanes };
    step.access.address.fill(element * width);
    return step;
}

/// Of blocks of one warp, one after another, that all do these steps.
kernels::MissShares localMisses(std::vector<TraceStep> steps, std::size_t blocks, std::size_t l1Lines)
{
    analysis::BlockTrace trace;
    trace.warps = { std::move(steps) };
    kernels::SmBlocks onSm { .resident = 1, .all = blocks };
    const auto accesses = std::make_shared<const kernels::BlockAccesses>(kernels::BlockAccesses::withLocal(trace));
    for (std::size_t i = 0; i < blocks; ++i)
        onSm.followed.push_back({ accesses, {}, std::int64_t(i) << 30 });
    return kernels::l1Misses(onSm, l1Lines, 1).local;
}

TEST(SmBlocks, whatAnotherBlockAskedForInTheSameTurnIsOnItsWay)
{
    Blocks together({ tableOf(1) }, 4096, 2, 2), oneByOne({ tableOf(1) }, 4096, 2, 1);
    EXPECT_EQ(together.misses(64).sectors, 0.5) << "asked for once";
    EXPECT_EQ(together.misses(64).turns, 1) << "waited for by both";
    EXPECT_EQ(oneByOne.misses(64).sectors, 0.5);
    EXPECT_EQ(oneByOne.misses(64).turns, 0.5);
}

TEST(SmBlocks, turnsOfASampleOfTheLinesWaitAsOftenAsTheLoadThatMissesMostOften)
{
    // Each turn a line of its own, and a vector that stays.
    std::vector<TraceStep> steps;
    for (std::uint64_t turn = 0; turn < 512; ++turn) {
        steps.push_back(load(kOwnLoad, kOwn + 128 * turn));
        steps.push_back(load(kTableLoad, kTable + 128 * (turn % 64)));
        steps.push_back({ .kind = analysis::TraceKind::Barrier });
    }
    Blocks alone({ steps }, 1 << 20, 4, 1), twoWarps({ steps, steps }, 1 << 20, 4, 1);
    EXPECT_LT(alone.misses(1024, 0, 8).sectors, 0.7);
    EXPECT_NEAR(alone.misses(1024, 0, 8).turns, alone.misses(1024).turns, 0.02);
    EXPECT_LT(twoWarps.misses(1024, 0, 8).sectors, 0.35);
    EXPECT_NEAR(twoWarps.misses(1024, 0, 8).turns, 1, 0.02) << "the other warp's lines are on their way";
}

TEST(SmBlocks, linesThatAreAskedForAgainAndAgainAreNoSampleOfTheOthers)
{
    // 2,048 lines once each, and a line of a table after each of them.
    std::vector<TraceStep> steps;
    for (std::uint64_t line = 0; line < 2048; ++line) {
        steps.push_back(load(kOwnLoad, kOwn + 128 * line));
        for (int i = 0; i < 4; ++i)
            steps.push_back(load(kTableLoad, kTable));
    }
    Blocks blocks({ steps }, 1 << 20, 1, 1);
    const double whole = blocks.share(1024);
    EXPECT_NEAR(whole, 0.2, 0.001);
    for (const unsigned sampled : { 2u, 3u, 5u, 8u, 13u })
        EXPECT_NEAR(blocks.share(1024, 0, sampled), whole, 0.03) << sampled;
}

TEST(SmBlocks, whatIsStoredToLocalMemoryIsFoundInL1)
{
    using enum analysis::MemoryOp;
    EXPECT_EQ(localMisses({ localStep(Store, 0), localStep(Load, 0), localStep(Load, 0) }, 2, 64).sectors, 0);
}

TEST(SmBlocks, sectorsThatNoStoreFillsAreFetchedOnce)
{
    using enum analysis::MemoryOp;
    EXPECT_EQ(localMisses({ localStep(Store, 0, 1), localStep(Load, 0, 1), localStep(Load, 0, 1) }, 1, 64).sectors, 0.5);
}

TEST(SmBlocks, aBlockGetsTheLocalMemoryOfTheOneBeforeIt)
{
    using enum analysis::MemoryOp;
    EXPECT_EQ(localMisses({ localStep(Load, 5) }, 4, 64).sectors, 0.25);
}

TEST(SmBlocks, arraysLargerThanL1AreFetchedAgain)
{
    using enum analysis::MemoryOp;
    std::vector<TraceStep> steps;
    for (std::uint64_t element = 0; element < 80; ++element)
        steps.push_back(localStep(Store, element));
    for (std::uint64_t element = 0; element < 80; ++element)
        steps.push_back(localStep(Load, element));
    EXPECT_EQ(localMisses(steps, 1, 64).turns, 1);
    EXPECT_EQ(localMisses(steps, 1, 640).turns, 0);
}

} // namespace
