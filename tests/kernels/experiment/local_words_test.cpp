// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/local_words.h"

#include "kernels/compile/nvrtc.h"
#include "kernels/experiment/predict.h"
#include "tests/predicted_launch.h"
#include "tests/swept_kernels.h"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace coalescope;
using analysis::MemoryOp;
using analysis::TraceStep;
using kernels::LocalStep;

#ifdef __SANITIZE_ADDRESS__
constexpr int kEvery = 7; // slow, and the figures are the release build's to judge
#else
constexpr int kEvery = 1;
#endif

/// A warp's access to elements of its threads' arrays: of lane l element `first + l * step`.
TraceStep access(MemoryOp op, std::uint8_t width, std::uint64_t first, std::uint64_t step = 0)
{
    TraceStep trace;
    trace.access = { .space = analysis::Space::Local, .op = op, .widthBytes = width, .active = analysis::kAllLanes };
    for (std::uint64_t lane = 0; lane < 32; ++lane)
        trace.access.address[lane] = (first + lane * step) * width;
    return trace;
}

analysis::LocalTraffic trafficOf(std::vector<TraceStep> warp)
{
    analysis::BlockTrace trace;
    trace.warps = { std::move(warp) };
    return kernels::localTraffic(trace);
}

TEST(LocalWords, anElementOfEachLaneIsALine)
{
    const auto traffic = trafficOf({ access(MemoryOp::Store, 4, 7), access(MemoryOp::Load, 4, 7) });
    EXPECT_EQ(traffic.storeRequests, 1);
    EXPECT_EQ(traffic.storeSectors, 4);
    EXPECT_EQ(traffic.loadSectors, 4);
    EXPECT_EQ(traffic.loadTags, 1);
    EXPECT_EQ(traffic.distinctLines, 1);
    EXPECT_EQ(traffic.partStoreTags, 0);
}

TEST(LocalWords, doublesAreTwoRequests)
{
    const auto traffic = trafficOf({ access(MemoryOp::Load, 8, 3) });
    EXPECT_EQ(traffic.loadRequests, 2);
    EXPECT_EQ(traffic.loadSectors, 8);
}

TEST(LocalWords, lanesAtDifferentElementsAskForASectorEach)
{
    const auto traffic = trafficOf({ access(MemoryOp::Load, 4, 0, 1) });
    EXPECT_EQ(traffic.loadRequests, 1);
    EXPECT_EQ(traffic.loadSectors, 32);
    EXPECT_EQ(traffic.loadTags, 32);
}

TEST(LocalWords, fourBytesShareAWord)
{
    const auto traffic = trafficOf({ access(MemoryOp::Store, 1, 0), access(MemoryOp::Store, 1, 3), access(MemoryOp::Load, 1, 0, 1) });
    EXPECT_EQ(traffic.distinctLines, 1);
    EXPECT_EQ(traffic.partStoreTags, 2) << "neither fills a sector";
    EXPECT_EQ(traffic.loadSectors, 8) << "lanes 0 to 31 lie in 8 words, four of each in one sector";
}

TEST(LocalWords, spilledRegistersAreSpreadOverTheStepsOfEachWarp)
{
    analysis::BlockTrace trace;
    TraceStep global;
    global.access = { .active = analysis::kAllLanes };
    trace.warps = { { global, global }, {} };
    const std::vector<LocalStep> spills { { true, 2, 16 }, { true, 1, 8 }, { false, 2, 16 }, { false, 1, 8 } };
    EXPECT_EQ(kernels::addSpills(trace, spills), 1);
    ASSERT_EQ(trace.warps[0].size(), 6u);
    EXPECT_EQ(trace.warps[1].size(), 4u);
    EXPECT_FALSE(kernels::isLocal(trace.warps[0][1])) << "behind the first spill";
    EXPECT_FALSE(kernels::isLocal(trace.warps[0][4])) << "before the last";
    const auto traffic = kernels::localTraffic(trace);
    EXPECT_EQ(traffic.storeRequests, 2 * 3);
    EXPECT_EQ(traffic.loadSectors, 2 * 3 * 4);
    EXPECT_EQ(traffic.distinctLines, 2 * 3);
}

TEST(LocalWords, ofVeryManySpillsTheFirstStandForAll)
{
    analysis::BlockTrace trace;
    trace.warps.resize(4);
    const std::vector<LocalStep> spills(100'000, { true, 1, 0 });
    EXPECT_EQ(kernels::addSpills(trace, spills), 2);
    EXPECT_EQ(trace.warps[3].size(), 50'000u);
}

// h200_local.csv: what an H200 counted and took.
TEST(LocalWords, arraysInLocalMemoryFollowTheCounters)
{
    if (!kernels::Nvrtc::instance())
        GTEST_SKIP() << "NVRTC is not installed here";
    const auto kernel = testKernel("kernels/experiment/local_arrays.cu");
    double timeError = 0, readError = 0;
    int launches = 0, fitting = 0, row = 0;
    for (const auto& [launch, values] : countedLaunches("kernels/experiment/h200_local.csv")) {
        if (row++ % kEvery != 0)
            continue;
        auto [name, settings] = settingsOf(launch);
        const kernels::Prediction prediction = predictedLaunch(kernel, launch);
        const auto& metrics = prediction.result.metrics;
        EXPECT_NEAR(*metrics.get(analysis::Metric::L1WriteSectors), values[0], 0.022 * values[0] + 2000) << launch;
        const double threadsOfAnSm = std::min(2048.0, std::stod(settings["threads"]) / 132);
        const double bytes = settings["type"] == "f64" ? 8 : settings["type"] == "u8" ? 1 : 4;
        if (threadsOfAnSm * std::stod(settings["n"]) * bytes < 65'536) {
            readError += std::abs(*metrics.get(analysis::Metric::L1ReadSectors) / values[1] - 1);
            ++fitting;
        }
        timeError += std::abs(*prediction.result.time.warmNs / values[2] - 1);
        ++launches;
    }
    ASSERT_GT(launches, 140 / kEvery);
    ASSERT_GT(fitting, 30 / kEvery);
    EXPECT_LT(readError / fitting, 0.02) << "where L1 keeps the arrays of all resident threads";
    EXPECT_LT(timeError / launches, 0.25) << "without local memory it was 0.7";
}

} // namespace
