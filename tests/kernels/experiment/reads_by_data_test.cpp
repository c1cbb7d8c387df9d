// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/reads_by_data.h"

#include "kernels/compile/nvrtc.h"
#include "tests/predicted_launch.h"
#include "tests/swept_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace {

using namespace coalescope;
using analysis::Metric;

TEST(ReadsByData, aPoolIsFoundByWhatIsDrawnAgain)
{
    std::set<std::uint64_t> drawn;
    std::uint64_t state = 1;
    constexpr int kPool = 500, kDraws = 400;
    for (int i = 0; i < kDraws; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        drawn.insert((state >> 33) % kPool);
    }
    EXPECT_NEAR(kernels::linesDrawn(kPool, kDraws), double(drawn.size()), 20);
    EXPECT_NEAR(kernels::poolOf(double(drawn.size()), kDraws), kPool, 0.15 * kPool);
}

TEST(ReadsByData, whatIsDrawnFromASmallPoolIsAllOfIt)
{
    EXPECT_NEAR(kernels::linesDrawn(16, 1000), 16, 1e-9);
    EXPECT_NEAR(kernels::linesDrawn(1e9, 1000), 1000, 1e-3);
    EXPECT_NEAR(kernels::poolOf(16, 1000), 16, 1e-9);
}

// h200_drawn_rows.csv: what an H200 counted.
TEST(ReadsByData, rowsThatIndicesNameFollowTheCounters)
{
    const auto kernel = testKernel("kernels/experiment/drawn_rows.cu");
    double l1 = 0, dram = 0, ifAllDiffer = 0;
    int rows = 0, dramRows = 0;
    for (const auto& [launch, counted] : countedLaunches("kernels/experiment/h200_drawn_rows.csv")) {
        auto [name, settings] = settingsOf(launch);
        const kernels::Prediction prediction = predictedLaunch(kernel, launch);
        const auto error = [&](Metric metric, double value) { return std::abs(prediction.result.metrics.get(metric).value_or(0) / value - 1); };
        EXPECT_LT(error(Metric::L1ReadSectors, counted[0]), 0.25) << launch;
        l1 += error(Metric::L1ReadSectors, counted[0]);
        ++rows;
        if (counted[1] < 10000)
            continue;
        EXPECT_LT(error(Metric::DramReadSectors, counted[1]), 0.35) << launch;
        dram += error(Metric::DramReadSectors, counted[1]);
        const double blocks = settings.contains("blocks") ? std::stod(settings["blocks"]) : 16384;
        ifAllDiffer += std::min(blocks, 65536.0) * std::stod(settings["cols"]) / 8 / counted[1] - 1;
        ++dramRows;
    }
    ASSERT_GT(rows, 20);
    ASSERT_GT(dramRows, 10);
    RecordProperty("meanErrorL1", std::to_string(l1 / rows));
    RecordProperty("meanErrorDram", std::to_string(dram / dramRows));
    EXPECT_LT(l1 / rows, 0.05);
    EXPECT_LT(dram / dramRows, 0.12);
    EXPECT_GT(ifAllDiffer / dramRows, 1) << "if no block read what another one reads";
}

} // namespace
