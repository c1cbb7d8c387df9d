// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/traffic.h"

#include "analysis/device/cache_model.h"
#include "kernels/compile/nvrtc.h"
#include "source_kernel.h"
#include "tests/counted_launches.h"
#include "tests/predicted_launch.h"
#include "tests/swept_kernels.h"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace coalescope;

struct TracedLaunch {
    analysis::Traffic traffic;
    double residentOfAnSm = 0;
};

TracedLaunch launchOf(const kernels::KernelSpec& kernel, const std::map<std::string, std::string>& settings)
{
    const auto plan = kernels::planLaunch(kernel, settings);
    EXPECT_TRUE(plan);
    const auto prediction = kernels::predict(*plan, { .verify = false });
    if (!prediction) {
        ADD_FAILURE() << prediction.error().detail;
        return {};
    }
    const auto totals = analysis::gridTotals(*prediction->program, prediction->launch);
    EXPECT_TRUE(totals);
    const analysis::DeviceModel& device = **analysis::deviceNamed("h200");
    return { kernels::trafficOf(device, *prediction, *totals), double(prediction->result.occupancy->blocksPerSm) };
}

TracedLaunch launchOf(const std::string& kernel, const std::map<std::string, std::string>& settings)
{
    const auto spec = kernels::kernelNamed(kernel);
    return launchOf(spec ? **spec : sweptKernel(kernel), settings);
}

analysis::Traffic trafficOf(const char* kernel, const std::map<std::string, std::string>& settings)
{
    return launchOf(kernel, settings).traffic;
}

TEST(Traffic, aBlockAtTheEndOfARowDoesNotStandForTheOthers)
{
    // Of the 157 tiles of a row the last has 8 columns, and the block in the middle of the grid is one of those.
    const auto traffic = trafficOf("transpose_one_warp", { { "rows", "3000" }, { "cols", "5000" } });
    const double bytes = 3000.0 * 5000 * 4;
    EXPECT_NEAR(traffic.readBytes, bytes, 0.01 * bytes);
    EXPECT_NEAR(traffic.writeBytes, bytes, 0.01 * bytes);
}

TEST(Traffic, haloesThatNeighboursHaveAskedForAreOnTheirWay)
{
    // The tile itself comes first, then its borders: of four turns one is the first to want its data, of two one.
    const double four = trafficOf("jacobi_tiles", { { "n", "1024" } }).freshLoads;
    EXPECT_LT(four, 0.6);
    EXPECT_GT(four, 0.25);
    const auto two = trafficOf("conv1d_halo", { { "n", "1048576" } });
    EXPECT_LT(two.freshLoads, two.machine.known() ? 0.8 : 1.1) << "without machine code it is all one turn";
    EXPECT_GT(two.freshLoads, 0.5);
    // Here neighbours want the same at the same time.
    EXPECT_EQ(trafficOf("stencil_five", { { "rows", "1024" }, { "cols", "1024" } }).freshLoads, 1);
}

TEST(Traffic, warpsOfOneColumnFollowEachOtherInItsLines)
{
    const auto naive = trafficOf("transpose_naive",
        { { "rows", "1024" }, { "cols", "1024" }, { "block_x", "16" }, { "block_y", "32" }, { "type", "f16" } });
    EXPECT_EQ(naive.storeLaneBytes, 2);
    EXPECT_EQ(naive.storedLines, 16);
    EXPECT_EQ(naive.followedLines, 16 * 15) << "16 warps write into each of the block's 16 lines";
    EXPECT_EQ(trafficOf("copy", { { "rows", "1024" }, { "cols", "1024" } }).followedLines, 0);
}

TEST(Traffic, theNextBlockOfACopyGoesOnWhereTheOneBeforeEnds)
{
    EXPECT_TRUE(trafficOf("copy", { { "rows", "1024" }, { "cols", "1024" } }).storesContinue);
    EXPECT_TRUE(trafficOf("offset_copy", { { "rows", "1024" }, { "cols", "1024" } }).storesContinue);
    EXPECT_FALSE(trafficOf("transpose_naive", { { "rows", "1024" }, { "cols", "1024" } }).storesContinue);
    EXPECT_FALSE(trafficOf("transpose_shared", { { "rows", "1024" }, { "cols", "1024" } }).storesContinue);
}

TEST(Traffic, aBlockIsAheadOfItsStoresWithWhatItLoadsBefore)
{
    const std::map<std::string, std::string> problem { { "rows", "1024" }, { "cols", "1024" } };
    EXPECT_EQ(trafficOf("copy", problem).loadsAhead, 1);
    EXPECT_EQ(trafficOf("transpose_shared_multi", problem).loadsAhead, 1) << "all before the barrier";
    auto multi = problem;
    multi.insert({ { "tile", "32" }, { "rows_per_block", "8" } });
    EXPECT_EQ(trafficOf("transpose_naive_multi", multi).loadsAhead, 0.25) << "a load, its store, and three times again";
}

TEST(Traffic, loadsOfStructuresMeetInBanksAsInSharedMemory)
{
    // Clocks of a load on an H200 (driver 580.159.04, 2026-11-22): 8, 4 and 16 at strides of 8, 12 and 16 words.
    for (const auto& [fields, wavefronts] : { std::pair("8", 8.0), std::pair("12", 4.0), std::pair("16", 16.0) }) {
        const auto traffic = trafficOf("aos_sum", { { "fields", fields } });
        EXPECT_EQ(traffic.loadWavefronts, wavefronts * traffic.loadRequests) << fields;
    }
    const auto copy = trafficOf("copy", { { "rows", "1024" }, { "cols", "1024" } });
    EXPECT_EQ(copy.loadWavefronts, copy.loadRequests);
}

TEST(Traffic, aStructureThatOneWarpWritesFieldByFieldIsFilledByIt)
{
    const auto interleave = trafficOf("interleave_fields", { { "fields", "4" } });
    EXPECT_GT(interleave.openSectors, 0);
    EXPECT_EQ(interleave.openByOneWarp, interleave.openSectors);
    EXPECT_EQ(trafficOf("transpose_naive", { { "rows", "1024" }, { "cols", "1024" } }).openByOneWarp, 0);
}

TEST(Traffic, atomicsOfAllBlocksMeetOnTheirWord)
{
    const auto sum = trafficOf("reduce_atomic", { { "n", "1048576" }, { "block", "256" }, { "per", "4" } });
    EXPECT_EQ(sum.atomicSectors, 1024) << "one a block";
    EXPECT_EQ(sum.atomicPasses, 1024);
    EXPECT_NEAR(sum.atomicPassesOfASlice, 1024, 0.02 * 1024);
    EXPECT_EQ(sum.atomicFloatsOfAWord, 1024);
    EXPECT_EQ(trafficOf("copy", { { "rows", "1024" }, { "cols", "1024" } }).atomicPasses, 0);
}

analysis::Traffic trafficOfSharedAtomics(const std::map<std::string, std::string>& settings)
{
    return launchOf(testKernel("kernels/experiment/shared_atomics.cu"), settings).traffic;
}

// Clocks: one warp of an NVIDIA H200 (driver 580.159.04, 2026-11-23), its 32 lanes on 32, 8 and 1 words: 99, 384, 3044 for floats,
// 120, 453, 3525 for doubles; 32 warps on 32 words that they share: 42 and 61 a warp.
TEST(Traffic, sharedAtomicsThatLockTheirWordsTakeALaneAtATime)
{
    if (!kernels::Nvrtc::instance())
        GTEST_SKIP() << "NVRTC is not installed here";
    const auto clocks = [](const char* words, const char* type, const char* block = "32") {
        return trafficOfSharedAtomics({ { "words", words }, { "type", type }, { "block", block } }).sharedLockClocks;
    };
    EXPECT_NEAR(clocks("32", "f32"), 99, 0.1 * 99);
    EXPECT_NEAR(clocks("8", "f32"), 384, 0.1 * 384);
    EXPECT_NEAR(clocks("1", "f32"), 3044, 0.1 * 3044);
    EXPECT_NEAR(clocks("1", "f64"), 3525, 0.1 * 3525);
    EXPECT_NEAR(clocks("32", "f32", "1024"), 32 * 42, 0.1 * 32 * 42);
    EXPECT_NEAR(clocks("32", "f64", "1024"), 32 * 61, 0.1 * 32 * 61);
    EXPECT_EQ(clocks("1", "i32"), 0) << "an adder of its own";
}

TEST(Traffic, lanesThatCountOneWordUpAreServedTogether) // 1.1 clocks each on the same H200, others 32
{
    if (!kernels::Nvrtc::instance())
        GTEST_SKIP() << "NVRTC is not installed here";
    const auto wavefronts = [](const char* constant) {
        return trafficOfSharedAtomics({ { "words", "1" }, { "type", "i32" }, { "constant", constant } }).sharedWavefronts;
    };
    EXPECT_EQ(wavefronts("0") - wavefronts("1"), 132 * 31);
}

TEST(Traffic, constantsAreLoadedAnAddressAtATime) // idc__requests on the same H200: 5,382,472, two a warp of them for parameters
{
    const auto traffic = trafficOf("jpeg_dct", { { "columns", "241" }, { "rows", "136" }, { "each", "4" }, { "pitch", "9" } });
    const double warps = 8 * std::ceil(241 / 4.0) * 136;
    EXPECT_NEAR(traffic.constantAddresses, 5'382'472 - 2 * warps, 0.02 * 5'382'472);
    EXPECT_EQ(trafficOf("copy", { { "rows", "1024" }, { "cols", "1024" } }).constantAddresses, 0);
}

TEST(Traffic, blocksWhoseLanesWantOtherConstantsCountAsTheyAre)
{
    if (!kernels::Nvrtc::instance())
        GTEST_SKIP() << "NVRTC is not installed here";
    // Block b reads b % 32 + 1 different elements of the table, 16.5 of them on an average; the one that is looked at reads 32.
    const auto kernel = kernels::parseKernel(R"(/* --- coalescope
title = "Look up"
entry = "look"
[launch]
grid = [1024]
block = [256]
[[arguments]]
buffer = "in"
type = "i32"
count = 262144
fill = "iota"
[[arguments]]
buffer = "out"
type = "i32"
count = 262144
--- */
__constant__ int table[32];
__global__ void look(const int* in, int* out) { int i = blockIdx.x * 256 + threadIdx.x, v = in[i]; out[i] = table[v % (v / 256 % 32 + 1)]; }
)",
        "look.cu");
    ASSERT_TRUE(kernel) << kernel.error().detail;
    EXPECT_NEAR(launchOf(*kernel, {}).traffic.constantAddresses, 1024 * 8 * 16.5, 0.15 * 1024 * 8 * 16.5);
}

TEST(Traffic, variablesOfTheModuleLieWhereTheDriverPutsThem) // sectors that an NVIDIA H200 (driver 580.159.04, 2026-11-23) counted
{
    for (const auto& [block, sectors] : { std::pair("32", 40), std::pair("64", 84), std::pair("96", 128), std::pair("256", 372) }) {
        const auto launch = launchOf(testKernel("kernels/experiment/module_variables.cu"), { { "block", block } });
        EXPECT_EQ(launch.traffic.loadSectors, sectors) << block;
    }
}

TEST(Traffic, aTableThatFitsTheL2IsReadFromDramOnce)
{
    const auto traffic = launchOf(testKernel("kernels/experiment/table_lookups.cu"), {}).traffic;
    EXPECT_EQ(traffic.readAgainBytes, 0);
    EXPECT_LE(traffic.readBytes, 6.0 * 1024 * 1024);
}

TEST(Traffic, atomicsSpreadOverThePiecesThatTheirBlocksShare)
{
    // Each block adds its 256 bins, 32 sectors in two pieces, once.
    const auto shared = trafficOf("histogram_bins", { { "n", "65536" }, { "grid", "64" } });
    EXPECT_EQ(shared.atomicPasses, 64 * 32);
    EXPECT_NEAR(shared.atomicPassesOfASlice, 64 * 32 / 2, 0.03 * 64 * 32 / 2);
    EXPECT_EQ(shared.atomicFloatsOfAWord, 0);
    // 16,384 bins lie in 128 pieces; a block of 1,024 threads reaches nearly all of them. Slices have several.
    const auto global = trafficOf("histogram_global", { { "n", "65536" }, { "block", "1024" }, { "bins", "16384" } });
    EXPECT_NEAR(global.atomicPasses, 65536, 0.1 * 65536);
    EXPECT_NEAR(global.atomicPassesOfASlice, global.atomicPasses / 50, 0.1 * global.atomicPasses / 50);
}

TEST(Traffic, aPieceThatBlocksTouchOftenIsBusyInTheWholeGrid)
{
    const auto plan = kernels::planLaunch(testKernel("kernels/experiment/busy_cell.cu"), {});
    ASSERT_TRUE(plan);
    const auto prediction = kernels::predict(*plan, { .verify = false });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    const auto totals = analysis::gridTotals(*prediction->program, prediction->launch);
    ASSERT_TRUE(totals);
    const auto traffic = kernels::trafficOf(**analysis::deviceNamed("h200"), *prediction, *totals);
    EXPECT_NEAR(traffic.atomicPassesOfASlice, 65536 / 2, 0.1 * 65536 / 2) << "of 512 pieces";
}

TEST(Traffic, fewBlocksThatDoNearlyEverythingStandForTheGrid)
{
    const auto plan = kernels::planLaunch(readSourceKernel("one_busy_row").request);
    ASSERT_TRUE(plan);
    const auto prediction = kernels::predict(*plan, { .verify = false });
    ASSERT_TRUE(prediction);
    const auto totals = analysis::gridTotals(*prediction->program, prediction->launch);
    ASSERT_TRUE(totals);
    const auto traffic = kernels::trafficOf(**analysis::deviceNamed("h200"), *prediction, *totals);
    EXPECT_NEAR(traffic.blocks, 64, 1) << "of 1,024";
    EXPECT_NEAR(traffic.readBytes, 4194304.0 * 4, 0.01 * 4194304 * 4) << "the large row's";
    EXPECT_TRUE(traffic.issuedByBlock.empty());
}

TEST(Traffic, aBlockThatDoesNothingStandsForNone)
{
    // Every other block leaves the other half of its pairs to the one before.
    const auto traffic = trafficOf("bitonic_step", { { "n", "1048576" }, { "block", "128" }, { "j", "1024" } });
    EXPECT_DOUBLE_EQ(traffic.wholeBlocks, traffic.blocks / 2);
    EXPECT_DOUBLE_EQ(traffic.readBytes, 1048576 * 4);
    EXPECT_DOUBLE_EQ(traffic.bothLineBytes, 1048576 * 4) << "it is sorted in place";
}

TEST(Traffic, anIndexThatManyBlocksReadIsNotFresh)
{
    // Two loads of each warp: an index, of which a sector holds eight blocks', and a row of its own.
    const auto traffic = trafficOf("embedding_rows", { { "tokens", "4096" }, { "dim", "512" }, { "block", "128" } });
    EXPECT_NEAR(traffic.freshLoads, (1 + 1.0 / 8) / 2, 0.01);
    EXPECT_EQ(trafficOf("copy", { { "rows", "1024" }, { "cols", "1024" } }).freshLoads, 1);
}

TEST(Traffic, warpsWithNothingToDoIssueLess)
{
    if (!kernels::Nvrtc::instance())
        GTEST_SKIP() << "NVRTC is not installed here";
    const auto all = trafficOf("embedding_rows", { { "tokens", "4096" }, { "dim", "512" }, { "block", "128" } }).machine;
    const auto one = trafficOf("embedding_rows", { { "tokens", "4096" }, { "dim", "512" }, { "block", "1024" } }).machine;
    EXPECT_LT(one.loadInstructions, 0.5 * all.loadInstructions) << "28 of 32 warps leave at once";
    EXPECT_EQ(one.loadClocks, all.loadClocks);
}

TEST(Traffic, whatABlockHasWrittenComesFromL1)
{
    const auto traffic = trafficOf("tridiagonal", { { "systems", "4224" }, { "steps", "16" }, { "block", "32" } });
    // Its two arrays of coefficients come from memory, what it works out itself does not.
    EXPECT_NEAR(traffic.readBytes, 2.0 * 4224 * 16 * 4, 0.05 * 2 * 4224 * 16 * 4);
    EXPECT_NEAR(traffic.l1ReadShare * traffic.loadSectors, 2.0 * 4224 * 16 / 8, 0.1 * 2 * 4224 * 16 / 8);
    EXPECT_GT(traffic.missingTurns, 0.4);
    EXPECT_LT(traffic.missingTurns, 0.8) << "on the way back";
}

TEST(Traffic, theCarveOutIsForAsManyBlocksAsFit)
{
    // h200_read_again.csv has what an H200 fetched with 98 KiB of shared memory: with 28 KiB of L1, not 156.
    const auto linesOf = [&](const char* radius, const char* n) {
        return trafficOf("sliding_minimum", { { "n", n }, { "radius", radius }, { "block", "1024" } }).l1Lines;
    };
    EXPECT_EQ(linesOf("16", "1024"), 2 * linesOf("16", "1048576")) << "one block is there, L1 as for two";
}

TEST(Traffic, blocksAtTheBorderCountAsFarAsTheyMakeAccesses)
{
    const auto whole = trafficOf("transpose_shared", { { "rows", "1024" }, { "cols", "1024" }, { "tile", "32" } });
    EXPECT_DOUBLE_EQ(whole.wholeBlocks, whole.blocks);
    // A row of warps more in each column of tiles, and two columns of them.
    const auto odd = trafficOf("transpose_shared", { { "rows", "1025" }, { "cols", "1024" }, { "tile", "32" } });
    EXPECT_DOUBLE_EQ(odd.blocks, 33 * 32);
    EXPECT_LT(odd.wholeBlocks, 33 * 32);
    EXPECT_GT(odd.wholeBlocks, 32 * 32);
}

// h200_store_requests.csv: what an H200 counted.
TEST(Traffic, requestsForLinesOfStoresFollowTheCounters)
{
    double sum = 0, alone = 0;
    int rows = 0;
    for (const auto& [launch, values] : countedLaunches("kernels/experiment/h200_store_requests.csv")) {
        const double counted = values.front();
        const auto [kernel, settings] = settingsOf(launch);
        const auto [traffic, resident] = launchOf(kernel, settings);
        const analysis::DeviceModel& h200 = **analysis::deviceNamed("h200");
        const analysis::DramTraffic dram = dramTraffic(h200, traffic, h200.sms * resident, analysis::L2State::Warm);
        const double error = storeLineRequests(traffic, resident, dram) / counted - 1;
        EXPECT_LT(std::abs(error), 0.6) << launch;
        sum += std::abs(error);
        alone += traffic.storeTags / counted - 1;
        ++rows;
    }
    ASSERT_GT(rows, 100);
    RecordProperty("meanError", std::to_string(sum / rows));
    EXPECT_LT(sum / rows, 0.05);
    EXPECT_GT(alone / rows, 0.12) << "if no two stores met";
}

struct TimesOff {
    double warm = 0, cold = 0;
};

/// How far the predicted times of launches are off on average; none by more than `most`. Without a column of cold times: warm alone.
TimesOff timesOff(const std::string& kernel, const std::string& counted, double most)
{
    const auto spec = testKernel("kernels/experiment/" + kernel);
    TimesOff sum;
    double rows = 0;
    for (const auto& [launch, measured] : countedLaunches("kernels/experiment/" + counted)) {
        const auto time = predictedLaunch(spec, launch).result.time;
        const double warm = *time.warmNs / 1e3 / measured[0] - 1, cold = measured.size() > 1 ? *time.coldNs / 1e3 / measured[1] - 1 : 0;
        EXPECT_LT(std::max(std::abs(warm), std::abs(cold)), most) << launch << ' ' << warm << ' ' << cold;
        sum.warm += std::abs(warm);
        sum.cold += std::abs(cold);
        ++rows;
    }
    EXPECT_GE(rows, 12);
    testing::Test::RecordProperty("warm", std::to_string(sum.warm / rows));
    testing::Test::RecordProperty("cold", std::to_string(sum.cold / rows));
    return { sum.warm / rows, sum.cold / rows };
}

// h200_marching_warps.csv: times of an H200.
TEST(Traffic, warpsThatMarchWaitLongerForMoreLines)
{
    const TimesOff off = timesOff("marching_warps.cu", "h200_marching_warps.csv", 0.22);
    EXPECT_LT(off.warm, 0.065);
    EXPECT_LT(off.cold, 0.085);
}

// h200_written_only.csv: times of an H200.
TEST(Traffic, whatIsOnlyWrittenTakesAsLongAsTheL2TakesIt)
{
    const TimesOff off = timesOff("written_only.cu", "h200_written_only.csv", 0.2);
    EXPECT_LT(off.warm, 0.05);
    EXPECT_LT(off.cold, 0.05);
}

// h200_mixed_streams.csv: times of an H200.
TEST(Traffic, dramIsFasterWhereItOnlyReadsOrOnlyWrites)
{
    const TimesOff off = timesOff("mixed_streams.cu", "h200_mixed_streams.csv", 0.45);
    EXPECT_LT(off.warm, 0.05);
    EXPECT_LT(off.cold, 0.08);
}

// h200_atomic_chains.csv: times of an H200.
TEST(Traffic, warpsWaitForWhatTheirAtomicsHaveFound)
{
    EXPECT_LT(timesOff("atomic_chains.cu", "h200_atomic_chains.csv", 0.15).warm, 0.07);
}

// h200_constant_tables.csv: times of an H200.
TEST(Traffic, warpsWaitForConstantsAsOftenAsTheyNeedThem)
{
    EXPECT_LT(timesOff("constant_tables.cu", "h200_constant_tables.csv", 0.6).warm, 0.12);
}

// h200_dependent_results.csv: times of an H200.
TEST(Traffic, warpsWaitForTheResultsOfWhatTheyComputed)
{
    EXPECT_LT(timesOff("dependent_results.cu", "h200_dependent_results.csv", 0.2).warm, 0.06);
}

// h200_parted_lanes.csv: times of an H200.
TEST(Traffic, fewWarpsWaitWhereLanesMeetAndForWhatTheFirstAsksFor)
{
    EXPECT_LT(timesOff("parted_lanes.cu", "h200_parted_lanes.csv", 0.45).warm, 0.1);
}

// h200_multiply_adds.csv: times of an H200.
TEST(Traffic, arithmeticTakesAsLongAsItReadsItsRegisters)
{
    EXPECT_LT(timesOff("multiply_adds.cu", "h200_multiply_adds.csv", 0.08).warm, 0.03);
}

// h200_atomic_slices.csv: times of an H200.
TEST(Traffic, slicesOfTheL2TakeAtomicsOneAfterTheOther)
{
    EXPECT_LT(timesOff("atomic_slices.cu", "h200_atomic_slices.csv", 0.5).warm, 0.09);
}

TEST(Traffic, tilesThatFillSectorsTogetherAreARowOfBlocksApart)
{
    const auto aligned = trafficOf("transpose_shared", { { "rows", "2048" }, { "cols", "2048" } });
    EXPECT_EQ(aligned.openBetweenBlocks, 0);
    // A row of the result has 2500 elements of 2 bytes: tiles begin within its sectors.
    const auto odd = trafficOf("transpose_shared", { { "rows", "2500" }, { "cols", "2500" }, { "type", "f16" } });
    EXPECT_GT(odd.openBetweenBlocks, 79) << "the grid has rows of 79 blocks";
    EXPECT_GT(odd.openApart, 0);
    EXPECT_EQ(odd.openSectors, 0) << "a block stores each sector once";
}

} // namespace
