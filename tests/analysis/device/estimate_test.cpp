// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/estimate.h"
#include "analysis/result/time_terms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace coalescope::analysis;

const DeviceModel& named(const char* name) { return **deviceNamed(name); }

/// A coalesced copy of `mebibytes` by blocks of 8 warps.
Traffic coalescedCopyOf(double mebibytes)
{
    const double bytes = mebibytes * 1024 * 1024, sectors = bytes / 32, blocks = sectors / 32;
    return { .blocks = blocks,
        .loadRequests = 8 * blocks,
        .storeRequests = 8 * blocks,
        .loadSectors = sectors,
        .storeSectors = sectors,
        .loadTags = 8 * blocks,
        .storeTags = 8 * blocks,
        .program = { .instructions = 200 * blocks },
        .readBytes = bytes,
        .writeBytes = bytes,
        .readLineBytes = bytes,
        .writeLineBytes = bytes,
        .readRuns = 8,
        .writeRuns = 8,
        .storedSectors = 32,
        .loadRounds = 1 };
}

constexpr Occupancy kFull { .warpsPerSm = 64, .maxWarpsPerSm = 64, .blocksPerSm = 8 };

TEST(Estimate, aBlockThatDoesNothingTakesTheSmallestKernelsTime)
{
    const Estimate estimated
        = estimate(named("h200"), { .blocks = 1 }, { .warpsPerSm = 1, .blocksPerSm = 1 });
    EXPECT_DOUBLE_EQ(*estimated.time.estimateNs, named("h200").launchNs);
    EXPECT_EQ(estimated.time.limiter, "launch");
}

TEST(Estimate, theLimiterIsTheLargestTerm)
{
    for (const double mebibytes : { 1, 4, 64, 1024 }) {
        const TimeValues time = estimate(named("h200"), coalescedCopyOf(mebibytes), kFull).time;
        const auto largest = std::ranges::max_element(time.terms, {}, &TimeTerm::ns);
        EXPECT_EQ(time.limiter, largest->name);
        EXPECT_GE(*time.estimateNs, 0.99 * largest->ns) << "no resource is faster than alone";
    }
}

TEST(Estimate, aLaunchWaitsForItsLongestBlock)
{
    Traffic traffic = coalescedCopyOf(0.125);
    const double equalNs = *estimate(named("h200"), traffic, kFull).time.estimateNs;
    traffic.issuedByBlock.assign(std::size_t(traffic.blocks), 10);
    EXPECT_DOUBLE_EQ(*estimate(named("h200"), traffic, kFull).time.estimateNs, equalNs);
    traffic.issuedByBlock.back() = 500;
    const TimeValues unequal = estimate(named("h200"), traffic, kFull).time;
    EXPECT_GT(*unequal.estimateNs, 1.5 * equalNs);
    EXPECT_LT(*unequal.estimateNs, 50 * equalNs);
    EXPECT_GE(*unequal.coldNs, *unequal.warmNs);
}

TEST(Estimate, everyTermHasATextForPeople)
{
    Traffic traffic = coalescedCopyOf(1);
    traffic.atomicPasses = 1;
    traffic.constantAddresses = 1;
    traffic.gridWaits = 1;
    const std::vector<TimeTerm> terms = estimate(named("h200"), traffic, kFull).time.terms;
    EXPECT_TRUE(std::ranges::is_permutation(terms, kTimeTermTexts, {}, &TimeTerm::name, &TimeTermText::name));
}

TEST(Estimate, barriersOfTheGridTakeLongerTheMoreBlocksArrive)
{
    // An NVIDIA H100 (driver 580.159.04, 2026-11-25): from 4 to 16 barriers, 132 and 1,056 blocks of 256 threads, by events.
    struct Row {
        double blocks;
        int blocksPerSm;
        double measuredNs;
    };
    for (const Row& row : { Row { 132, 1, (22.0e3 - 8.5e3) / 12 }, Row { 1056, 8, (40.3e3 - 13.8e3) / 12 } }) {
        Traffic traffic { .blocks = row.blocks, .wholeBlocks = row.blocks };
        const Occupancy occupancy { .warpsPerSm = 8 * row.blocksPerSm, .blocksPerSm = row.blocksPerSm };
        const double without = *estimate(named("h100-sxm"), traffic, occupancy).time.warmNs;
        traffic.gridWaits = 12;
        const double each = (*estimate(named("h100-sxm"), traffic, occupancy).time.warmNs - without) / 12;
        EXPECT_LT(each, row.measuredNs) << "the answer of a load is counted with the loads";
        EXPECT_GT(each, row.measuredNs - 600);
    }
}

TEST(Estimate, constantsThatDifferBetweenLanesTakeTwoClocksAnAddress)
{
    Traffic traffic { .blocks = 132, .wholeBlocks = 132 };
    const Occupancy one { .warpsPerSm = 32, .blocksPerSm = 1 };
    const double without = *estimate(named("h200"), traffic, one).time.estimateNs;
    traffic.constantAddresses = 132.0 * 32 * 128 * 32; // a block an SM, of 32 warps, 128 loads each, lanes at 32 addresses
    // An NVIDIA H200 (driver 580.159.04, 2026-11-23): 64 clocks for each warp's load.
    const double measured = 32 * 128 * 64.07 / named("h200").clockGHz;
    EXPECT_NEAR(*estimate(named("h200"), traffic, one).time.estimateNs - without, measured, 0.25 * measured);
    EXPECT_EQ(estimate(named("h200"), traffic, one).time.limiter, "constants");
}

TEST(Estimate, aLineThatTheCacheOfConstantsLacksTakesLonger)
{
    Traffic traffic { .blocks = 132, .wholeBlocks = 132 };
    const Occupancy one { .warpsPerSm = 32, .blocksPerSm = 1 };
    const double without = *estimate(named("h100-sxm"), traffic, one).time.estimateNs;
    // An NVIDIA H100 (driver 580.159.04, 2026-11-25): 985.5 clocks for a load of 32 lines, 137.9 for one of four, anywhere in 64 KB.
    for (const auto& [lines, clocks] : { std::pair(32.0, 985.5), std::pair(4.0, 137.9) }) {
        traffic.constantAddresses = 132.0 * 32 * 128 * 32;
        traffic.constantMisses = 132.0 * 32 * 128 * lines;
        const double measured = 32 * 128 * clocks / named("h100-sxm").clockGHz;
        EXPECT_NEAR(*estimate(named("h100-sxm"), traffic, one).time.estimateNs - without, measured, 0.2 * measured);
    }
}

TEST(Estimate, waitsForSharedMemoryAreLatency)
{
    Traffic traffic { .blocks = 132, .wholeBlocks = 132, .sharedInstructions = 132, .sharedWavefronts = 132 };
    const auto latencyNs = [&] {
        const TimeValues time = estimate(named("h200"), traffic, { .warpsPerSm = 1, .blocksPerSm = 1 }).time;
        return std::ranges::find(time.terms, "latency", &TimeTerm::name)->ns;
    };
    const double without = latencyNs();
    traffic.sharedRounds = 4;
    EXPECT_NEAR(latencyNs() - without, 4 * 15, 1) << "about 30 clocks from a shared load to its value";
}

TEST(Estimate, aColdL2IsNeverFasterThanAWarmOne)
{
    for (const double mebibytes : { 1, 8, 16, 64, 512 }) {
        const TimeValues time = estimate(named("h200"), coalescedCopyOf(mebibytes), kFull).time;
        EXPECT_GE(*time.coldNs, *time.warmNs) << mebibytes << " MiB";
    }
}

TEST(Estimate, fewerResidentBlocksHideLessLatency)
{
    const Traffic traffic = coalescedCopyOf(256);
    Occupancy two = kFull;
    two.blocksPerSm = 2;
    EXPECT_GT(*estimate(named("h200"), traffic, two).time.estimateNs,
        2 * *estimate(named("h200"), traffic, kFull).time.estimateNs);
}

TEST(Estimate, aBlockWaitsForTheLastOfItsWarps)
{
    // A third of what is read comes from DRAM: of many warps one nearly always waits for it.
    Traffic traffic = coalescedCopyOf(16);
    traffic.program.instructions = 0;
    Occupancy warps = kFull;
    warps.blocksPerSm = 1;
    const auto ns = [&](int warpsOfABlock) {
        warps.warpsPerSm = warpsOfABlock;
        return *estimate(named("h200"), traffic, warps).time.estimateNs;
    };
    const double blocksOfAnSm = traffic.blocks / named("h200").sms;
    EXPECT_GT(ns(8) - ns(1), 100 * blocksOfAnSm);
}

TEST(Estimate, aChainOfLoadsWaitsTheMeasuredLatencyAfterItsFirst)
{
    const auto chainNs = [](double loads) {
        return *estimate(named("h200"),
            { .blocks = 1, .loadRequests = loads, .loadSectors = loads, .loadTags = loads, .loadRounds = loads },
            { .warpsPerSm = 1, .blocksPerSm = 1 })
                    .time.warmNs;
    };
    EXPECT_NEAR(chainNs(100) - chainNs(99), 142, 8) << "an H200's chain of loads that hit the L2";
    EXPECT_GT(chainNs(1) - chainNs(0), 200);
}

TEST(Estimate, sectorsThatBlocksFillTogetherKeepTheL2BusyWhereTheDataOutgrowsIt)
{
    const auto l2Ns = [](double mebibytes, double shared) {
        Traffic traffic = coalescedCopyOf(mebibytes);
        traffic.sharedSectors = shared * traffic.storedSectors;
        const TimeValues time = estimate(named("h200"), traffic, kFull).time;
        return std::ranges::find(time.terms, "l2", &TimeTerm::name)->ns;
    };
    EXPECT_NEAR(l2Ns(1, 0.2), l2Ns(1, 0), 1);
    EXPECT_GT(l2Ns(256, 0.2), 1.2 * l2Ns(256, 0));
}

TEST(Estimate, aWarpsInstructionsComeOneAfterTheOther)
{
    Traffic traffic = coalescedCopyOf(4);
    Occupancy one = kFull; // warp a block
    one.warpsPerSm = one.blocksPerSm = 1;
    const double ns = *estimate(named("h200"), traffic, one).time.estimateNs;
    traffic.program.instructions *= 2;
    const double twice = *estimate(named("h200"), traffic, one).time.estimateNs;
    const double more = 4 * 200 / named("h200").clockGHz * traffic.blocks / named("h200").sms;
    EXPECT_NEAR(twice - ns, more, 0.1 * more);
    traffic.multiplyAdds = traffic.program.instructions;
    EXPECT_LT(*estimate(named("h200"), traffic, one).time.estimateNs, ns) << "products' terms do not wait";
}

TEST(Estimate, machineCodeSaysHowLongAWarpTakesAlone)
{
    Traffic traffic = coalescedCopyOf(4);
    traffic.wholeBlocks = traffic.blocks;
    Occupancy one = kFull; // warp a block
    one.warpsPerSm = one.blocksPerSm = 1;
    traffic.machine = { .loadInstructions = 20, .storeInstructions = 10, .loadClocks = 100, .storeClocks = 50, .loadWaits = 1, .issueClocks = 35 };
    const double ns = *estimate(named("h200"), traffic, one).time.estimateNs;
    const double blocksOfAnSm = traffic.blocks / named("h200").sms;
    traffic.machine.loadClocks += 200;
    const double longer = *estimate(named("h200"), traffic, one).time.estimateNs;
    EXPECT_NEAR(longer - ns, 200 / named("h200").clockGHz * blocksOfAnSm, 0.05 * (longer - ns));
    traffic.machine.loadWaits = 2;
    const double twice = *estimate(named("h200"), traffic, one).time.estimateNs;
    EXPECT_GT(twice - longer, 142 * 0.99 * blocksOfAnSm) << "half of the loads wait for the others, as long as in a chain";
}

TEST(Estimate, instructionsQueueForTheBusiestPipe)
{
    Traffic traffic = coalescedCopyOf(4);
    traffic.wholeBlocks = traffic.blocks;
    traffic.machine = { .loadInstructions = 150, .storeInstructions = 50, .loadClocks = 200, .loadWaits = 1, .issueClocks = 200 };
    const auto issueNs = [&](const char* device) {
        const auto terms = estimate(named(device), traffic, kFull).time.terms;
        return std::ranges::find(terms, "issue", &TimeTerm::name)->ns;
    };
    const double plain = issueNs("h200");
    const auto beside = [&](double pipe) { return std::cbrt(std::pow(plain, 3) + std::pow(plain * pipe / traffic.machine.issueClocks, 3)); };
    traffic.machine.integers = 10;
    EXPECT_NEAR(issueNs("h200"), plain, 1e-3 * plain) << "a pipe that is hardly busy";
    traffic.machine.integers = 100;
    EXPECT_NEAR(issueNs("h200"), 1.26 * plain, 0.01 * plain) << "one that takes as long as issuing";
    traffic.machine.integers = 180;
    EXPECT_NEAR(issueNs("h200"), beside(2 * 180), 1e-6 * plain);
    traffic.machine.specials = 50;
    EXPECT_NEAR(issueNs("h200"), beside(8 * 50), 1e-6 * plain);
    traffic.machine.doubles = 50;
    EXPECT_NEAR(issueNs("h200"), beside(8 * 50), 1e-6 * plain) << "64 a clock";
    const double twoAClock = issueNs("rtx4090");
    traffic.machine.doubles = 100;
    EXPECT_NEAR(issueNs("rtx4090"), 2 * twoAClock, 0.01 * twoAClock) << "2 a clock";
}

// 20.9 clocks on an H200 with four warps, 76.9 with 32.
TEST(Estimate, barriersWhoseWarpsAreStillTogetherTakeTheMeasuredClocks)
{
    for (const auto& [warps, clocks] : { std::pair(4, 20.9), { 32, 76.9 } }) {
        Traffic traffic = coalescedCopyOf(4);
        traffic.wholeBlocks = traffic.blocks;
        traffic.barriers = 1;
        Occupancy one = kFull;
        one.blocksPerSm = 1;
        one.warpsPerSm = warps;
        const double ns = *estimate(named("h200"), traffic, one).time.estimateNs;
        traffic.barriers = 11;
        const double more = *estimate(named("h200"), traffic, one).time.estimateNs - ns;
        EXPECT_NEAR(more / 10, clocks / named("h200").clockGHz * std::ceil(traffic.blocks / named("h200").sms), 0.01 * more / 10) << warps;
    }
}

TEST(Estimate, moreLinesThanL1HoldsAreLoadedInTurns)
{
    Traffic traffic = coalescedCopyOf(4);
    traffic.loadedLines = 64;
    traffic.l1Lines = 64;
    const double ns = *estimate(named("h200"), traffic, kFull).time.estimateNs;
    traffic.l1Lines = 16;
    EXPECT_GT(*estimate(named("h200"), traffic, kFull).time.estimateNs, ns);
}

TEST(Estimate, partsOfSectorsCostMoreThanWholeOnes)
{
    const Traffic whole = coalescedCopyOf(256);
    Traffic parts = whole;
    parts.storeSectors = parts.storeTags = 2 * whole.storeSectors;
    parts.partStoredSectors = parts.openSectors = parts.storedSectors;
    EXPECT_GT(*estimate(named("h200"), parts, kFull).time.estimateNs,
        1.2 * *estimate(named("h200"), whole, kFull).time.estimateNs);
}

TEST(Estimate, theChipStartsBlocksAndFewerSmsStartTheirsFaster)
{
    // Each SM gets 1,000 blocks of one warp. On an H200 the chip's 0.60 ns a block decide from 96 SMs on, below 32 an SM's own time.
    const auto blockNs = [](int sms) {
        DeviceModel device = named("h200");
        device.sms = sms;
        return (*estimate(device, { .blocks = 1000.0 * sms }, { .warpsPerSm = 32, .maxWarpsPerSm = 64, .blocksPerSm = 32 }).time.estimateNs
                   - device.launchNs)
            / 1000;
    };
    EXPECT_NEAR(blockNs(132), 79.8, 1);
    EXPECT_NEAR(blockNs(96), 57.5, 1);
    EXPECT_NEAR(blockNs(16), blockNs(8), 0.1);
}

TEST(Estimate, holesCostDramAReadOfTheirSector)
{
    const Traffic whole = coalescedCopyOf(256);
    Traffic holes = whole;
    holes.holeSectors = holes.storedSectors;
    const auto dramNs = [](const Traffic& traffic) {
        const auto terms = estimate(named("h200"), traffic, kFull).time.terms;
        return std::ranges::find(terms, "dram", &TimeTerm::name)->ns;
    };
    EXPECT_NEAR(dramNs(holes) / dramNs(whole), 1.5, 0.1) << "a third stream";
}

TEST(Estimate, manyStoresToASectorCrowdItsL2)
{
    Traffic traffic = coalescedCopyOf(16);
    traffic.partStoredSectors = traffic.storedSectors;
    const auto l2Ns = [&](double stores) {
        traffic.storeSectors = traffic.storeTags = stores * traffic.blocks * traffic.storedSectors;
        const auto terms = estimate(named("h200"), traffic, kFull).time.terms;
        return std::ranges::find(terms, "l2", &TimeTerm::name)->ns / stores;
    };
    // 65 and 57 stores a nanosecond on an H200, over 58 heights of a matrix.
    EXPECT_NEAR(l2Ns(32) / l2Ns(8), 65.0 / 57, 0.06);
}

TEST(Estimate, theTimesErrorIsLargerWhereTheRegistersAreNotKnownAndForOtherKernels)
{
    const auto known = recordedError(named("h200"), Metric::Duration);
    EXPECT_LT(known, recordedError(named("h200"), Metric::Duration, { .registersKnown = false }));
    EXPECT_LT(known, recordedError(named("h200"), Metric::Duration, { .ofCatalogue = false }));
}

TEST(Estimate, everyEstimatedMetricHasARecordedErrorAndNoOther)
{
    for (const MetricInfo& info : metricTable())
        EXPECT_EQ(recordedError(named("h100-sxm"), info.metric).has_value(), info.exactness == Exactness::Estimate)
            << info.key;
}

} // namespace
