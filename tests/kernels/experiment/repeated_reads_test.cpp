// SPDX-License-Identifier: Apache-2.0
// What is read again, from source to estimate: kernels of tests/device/kernels, numbers by
// hand.
#include "analysis/device/device_model.h"
#include "kernels/experiment/block_accesses.h"
#include "kernels/experiment/block_moves.h"
#include "kernels/experiment/predict.h"
#include "kernels/experiment/sector_parts.h"
#include "tests/predicted_launch.h"
#include "tests/swept_kernels.h"

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace coalescope;
using analysis::Dim3;
using analysis::Metric;

constexpr double kSms = 132; ///< of the H200

kernels::Prediction predicted(const char* file, const char* entry, Dim3 grid, Dim3 block,
    std::vector<std::string> arguments, const char* device = "h200")
{
    const kernels::SourceRequest request { .file
        = std::string(COALESCOPE_TEST_DATA "/device/kernels/") + file,
        .entry = entry,
        .grid = grid,
        .block = block,
        .arguments = std::move(arguments) };
    const auto plan = kernels::planLaunch(request);
    EXPECT_TRUE(plan) << plan.error().detail;
    auto prediction = kernels::predict(*plan, { .device = device, .verify = false });
    EXPECT_TRUE(prediction) << prediction.error().detail;
    return *std::move(prediction);
}

std::string f32(std::uint64_t count) { return "f32[" + std::to_string(count) + "]"; }
std::string i32(std::uint64_t value) { return "i32:" + std::to_string(value); }

kernels::Prediction gemv(std::uint32_t rows, std::uint64_t cols)
{
    return predicted("gemv.cu", "gemv", { (rows + 3) / 4 }, { 32, 4 },
        { f32(rows * cols), f32(cols), f32(rows), i32(rows), i32(cols) });
}

TEST(RepeatedReads, gemvFetchesItsVectorOnceAnSm)
{
    const auto prediction = gemv(8192, 1000);
    EXPECT_NEAR(value(prediction, Metric::L1ReadSectors), 8192 * 125 + kSms * 125, 2000);
}

TEST(RepeatedReads, aGridOfOneBlockAnSmIsCountedBlockByBlock)
{
    const auto prediction = gemv(4 * 100, 1000);
    EXPECT_EQ(value(prediction, Metric::L1ReadSectors), 400 * 125 + 100 * 125);
}

TEST(RepeatedReads, neighboursOnOtherSmsSaveNothing)
{
    // 128 blocks a row: the 132nd block after this one lies four to the right of the one below.
    constexpr std::uint64_t kWidth = 128 * 32 + 2, kHeight = 64 * 8 + 2;
    const auto prediction = predicted("stencil_global.cu", "stencil", { 128, 64 }, { 32, 8 },
        { f32(kWidth * kHeight), f32(kWidth * kHeight), i32(kWidth), i32(kHeight) });
    // 10 rows of 34 words that begin at any even word: 5 sectors, or 6 of those that begin at the
    // last pair.
    const double sectors = value(prediction, Metric::L1ReadSectors) / (128 * 64);
    EXPECT_GE(sectors, 10 * 5);
    EXPECT_LE(sectors, 10 * 6);
}

TEST(RepeatedReads, rowsBelowAreFetchedAgainWhereverTheirBlocksRun)
{
    constexpr std::uint64_t kWidth = 132 * 32 + 2, kHeight = 512 * 8 + 2;
    const auto prediction = predicted("stencil_global.cu", "stencil", { 132, 512 }, { 32, 8 },
        { f32(kWidth * kHeight), f32(kWidth * kHeight), i32(kWidth), i32(kHeight) });
    constexpr double kMeasured = 3'367'633; // on an NVIDIA H200, driver 580.159.04, 2026-11-20
    EXPECT_NEAR(value(prediction, Metric::L1ReadSectors), kMeasured, 0.02 * kMeasured);
}

TEST(RepeatedReads, aFilterIsFetchedOnceAnSm)
{
    const auto prediction = predicted("conv1d_global.cu", "conv1d", { 32768 }, { 128 },
        { f32(32768 * 128 + 32), f32(33), f32(32768 * 128) });
    // A block's 160 words are 20 sectors, 4 of them its neighbour's; the filter's 33 words are 5.
    EXPECT_NEAR(value(prediction, Metric::L1ReadSectors), 32768 * 20 + kSms * 5, 50);
}

double tableSectors(std::uint64_t entries)
{
    constexpr std::uint64_t kCount = 4096 * 256;
    const auto prediction = predicted("lookup_table.cu", "lookup", { 4096 }, { 256 },
        { "u32[" + std::to_string(kCount) + "]=random:5", f32(entries), f32(kCount),
            "u32:" + std::to_string(entries) });
    return value(prediction, Metric::L1ReadSectors) - kCount / 8; // but for the keys
}

TEST(RepeatedReads, aTableThatFitsIsFetchedOnceAnSmAsFarAsTheDataAskForIt)
{
    // 31 blocks an SM look 7,936 times into 2,048 sectors: 2,005 of them on average.
    EXPECT_NEAR(tableSectors(16384), kSms * 2005, 0.02 * kSms * 2005);
}

TEST(RepeatedReads, aTableFarLargerThanL1IsFetchedForEveryLookUp)
{
    EXPECT_GT(tableSectors(1 << 20), 0.95 * 4096 * 256 * 0.99);
}

TEST(RepeatedReads, aProductBeyondTheL2ReadsBAgainForEveryWave)
{
    constexpr std::uint64_t kSide = 4096;
    const std::uint32_t tiles = kSide / 16;
    const std::string matrix = f32(kSide * kSide);
    const auto prediction = predicted("sgemm_tile.cu", "sgemm", { tiles, tiles }, { 16, 16 },
        { matrix, matrix, matrix, i32(kSide) });
    const double running = kSms * prediction.result.occupancy->blocksPerSm;
    const double waves = double(tiles) * tiles / running, b = kSide * kSide / 8;
    const double rowsOfA = (1 + (running - 1) / tiles) / tiles; ///< of A, a wave
    EXPECT_NEAR(
        value(prediction, Metric::DramReadSectors), waves * b * (1 + rowsOfA), 0.05 * waves * b);
}

TEST(RepeatedReads, aProductThatTheL2HoldsIsReadOnceAtMost)
{
    constexpr std::uint64_t kSide = 512;
    const std::string matrix = f32(kSide * kSide);
    const auto prediction = predicted(
        "sgemm_tile.cu", "sgemm", { 32, 32 }, { 16, 16 }, { matrix, matrix, matrix, i32(kSide) });
    EXPECT_LT(value(prediction, Metric::DramReadSectors), 2 * kSide * kSide / 8);
}

TEST(RepeatedReads, aMatrixAndItsTransposeAreReadTwiceWhereTheL2DoesNotKeepThem)
{
    const auto plus = [](std::uint64_t size) {
        const auto side = std::uint32_t(size / 32);
        const std::string matrix = "f64[" + std::to_string(size * size) + "]";
        return predicted("../sweeps/add_transposed.cu", "tiled<32,1>", { side, side }, { 32, 8 },
            { matrix, matrix, i32(size), i32(size) });
    };
    const double sectors = 4096.0 * 4096 * 8 / 32;
    const auto large = plus(4096);
    EXPECT_NEAR(value(large, Metric::L1ReadSectors), 2 * sectors, 0.01 * sectors) << "the block that is traced is none of the diagonal";
    EXPECT_NEAR(value(large, Metric::DramReadSectors), 7.42e6, 0.1 * 7.42e6) << "an NVIDIA H200, driver 580.159.04, 2026-11-22";
    EXPECT_LT(value(plus(1024), Metric::DramReadSectors), 1.1 * sectors / 16);
}

TEST(RepeatedReads, everyEstimateKeepsItsBounds)
{
    for (const char* device : { "h200", "a100-80", "rtx4090" }) {
        for (const std::uint32_t side : { 16u, 112u, 1024u }) {
            const std::string matrix = f32(std::uint64_t(side) * side);
            const auto prediction = predicted("sgemm_tile.cu", "sgemm", { side / 16, side / 16 },
                { 16, 16 }, { matrix, matrix, matrix, i32(side) }, device);
            const double l1 = value(prediction, Metric::L1ReadSectors);
            EXPECT_LE(l1, value(prediction, Metric::GlobalLoadSectors)) << device << ' ' << side;
            EXPECT_GE(l1, 2.0 * side * side / 8) << device << ' ' << side;
        }
    }
}

// Tiles of both inputs that 256 blocks of a row or a column read: of those on an SM some have the same row, wherever they start.
TEST(RepeatedReads, whatManyRunningBlocksReadAnSmFindsInL1ByChance)
{
    const auto plan = kernels::planLaunch(sweptKernel("pair_distances"), { { "n", "2048" }, { "dim", "32" }, { "tile", "8" } });
    ASSERT_TRUE(plan);
    const auto prediction = kernels::predict(*plan, { .device = "h200", .verify = false });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    constexpr double kCounted = 2.09e6; // by an NVIDIA H200, driver 580.159.04: each block for itself would be 4.19e6
    EXPECT_NEAR(value(*prediction, Metric::L1ReadSectors), kCounted, 0.1 * kCounted);
}

// Rows of 32 blocks read the same.
TEST(RepeatedReads, smsThatAskForTheSameAtOnceAreAnsweredTogether)
{
    const auto plan = kernels::planLaunch(sweptKernel("gemm_tiles"), { { "n", "1024" }, { "tile", "32" } });
    ASSERT_TRUE(plan);
    const auto read = [&](const char* device) {
        const auto prediction = kernels::predict(*plan, { .device = device, .verify = false });
        EXPECT_TRUE(prediction) << prediction.error().detail;
        return value(*prediction, Metric::L2ReadSectors) / value(*prediction, Metric::L1ReadSectors);
    };
    EXPECT_NEAR(read("h200"), 0.80, 0.08) << "counted by an NVIDIA H200, driver 580.159.04";
    EXPECT_GE(read("rtx4090"), 1) << "where it is not known";
}

TEST(RepeatedReads, whatABlockReadsAgainComesFromDramWhereOtherAddressesAreData)
{
    // Rows of 16 KiB, twice, and an element of each that the data name.
    const auto plan = kernels::planLaunch(sweptKernel("cross_entropy"), { { "block", "64" } });
    ASSERT_TRUE(plan);
    const auto prediction = kernels::predict(*plan, { .device = "h200", .verify = false });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    constexpr double kCounted = 3.88e6; // by an NVIDIA H200, driver 580.159.04, 2026-11-22: once were 2.10e6
    EXPECT_NEAR(value(*prediction, Metric::DramReadSectors), kCounted, 0.15 * kCounted);
}

// h200_read_again.csv: what an H200 counted.
TEST(RepeatedReads, rowsReadAgainFollowTheCounters)
{
    const auto kernel = testKernel("kernels/experiment/read_again.cu");
    double sum = 0, ifKept = 0;
    int rows = 0;
    for (const auto& [launch, values] : countedLaunches("kernels/experiment/h200_read_again.csv")) {
        const double counted = values.front();
        auto [name, settings] = settingsOf(launch);
        const kernels::Prediction prediction = predictedLaunch(kernel, launch);
        const double error = value(prediction, Metric::L1ReadSectors) / counted - 1;
        EXPECT_LT(std::abs(error), 0.5) << launch;
        sum += std::abs(error);
        ifKept += std::abs(std::stod(settings["blocks"]) * std::stod(settings["kb"]) * 32 / counted - 1);
        ++rows;
    }
    ASSERT_GT(rows, 100);
    RecordProperty("meanError", std::to_string(sum / rows));
    EXPECT_LT(sum / rows, 0.06);
    EXPECT_GT(ifKept / rows, 0.12) << "if L1 kept everything";
}

// h200_waited_lines.csv: times of an H200.
TEST(RepeatedReads, warpsWaitForTheLinesThatAnotherHasJustAskedFor)
{
    const auto kernel = testKernel("kernels/experiment/waited_lines.cu");
    double off = 0;
    int rows = 0;
    for (const auto& [launch, measured] : countedLaunches("kernels/experiment/h200_waited_lines.csv")) {
        const kernels::Prediction prediction = predictedLaunch(kernel, launch);
        const double error = *prediction.result.time.warmNs / 1e3 / measured.front() - 1;
        EXPECT_LT(std::abs(error), 0.25) << launch;
        off += std::abs(error);
        ++rows;
    }
    ASSERT_EQ(rows, 35);
    RecordProperty("timeOff", std::to_string(off / rows));
    EXPECT_LT(off / rows, 0.1);
}

/// Sectors that a block loads, with how often.
std::multiset<std::uint64_t> sectorsOf(const analysis::BlockTrace& trace,
    const kernels::BlockMoves* moves, std::span<const std::int64_t> shifts)
{
    std::multiset<std::uint64_t> all;
    kernels::SectorParts parts;
    for (const auto& warp : trace.warps) {
        for (const analysis::TraceStep& step : warp) {
            if (!kernels::isGlobalLoad(step))
                continue;
            parts.clear();
            kernels::appendParts(
                parts, step.access, moves ? shifts[moves->groupOf()[step.instruction]] : 0);
            for (const auto& part : parts)
                all.insert(part.sector);
        }
    }
    return all;
}

TEST(RepeatedReads, otherBlocksReadWhatTheTracedOnesMovesSay)
{
    const std::string n = f32(192 * 192);
    for (const kernels::Prediction& prediction :
        { predicted("sgemm_tile.cu", "sgemm", { 12, 12 }, { 16, 16 }, { n, n, n, i32(192) }),
            gemv(400, 1001),
            predicted("shared_matrix.cu", "linear", { 40 }, { 64 },
                { f32(2560), f32(4096), f32(2560), i32(64) }),
            predicted("stencil_global.cu", "stencil", { 6, 24 }, { 32, 8 },
                { f32(194 * 194), f32(194 * 194), i32(194), i32(194) }) }) {
        const auto totals = analysis::gridTotals(*prediction.program, prediction.launch);
        ASSERT_TRUE(totals);
        const Dim3 grid = prediction.launch.grid;
        const auto traced = analysis::traceAddresses(
            *prediction.program, prediction.launch, Dim3 { grid.x / 2, grid.y / 2, 0 });
        const auto moves = kernels::BlockMoves::of(*totals, grid, *traced);
        ASSERT_TRUE(moves) << prediction.result.kernel;
        for (std::uint32_t b = 0; b < grid.count(); b += 7) {
            const auto other = analysis::traceAddresses(
                *prediction.program, prediction.launch, Dim3 { b % grid.x, b / grid.x, 0 });
            EXPECT_EQ(sectorsOf(*traced, &*moves, moves->shifts(b)), sectorsOf(*other, nullptr, {}))
                << prediction.result.kernel << " block " << b;
        }
    }
}

} // namespace
