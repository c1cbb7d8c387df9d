// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/put_back.h"

#include "analysis/access/sector_model.h"
#include "kernels/compile/nvrtc.h"
#include "kernels/experiment/predict.h"
#include "tests/predicted_launch.h"
#include "tests/swept_kernels.h"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace coalescope;
using analysis::Metric;

constexpr double kMebi = 1024 * 1024;

/// Blocks that read a line each of the second buffer and write one of the third, of buffers of so many MiB.
analysis::PutBack ofCopy(const std::vector<double>& mebibytes, double blocks, std::size_t readFrom = 1, std::size_t writtenTo = 2)
{
    analysis::Launch launch { .grid = { std::uint32_t(blocks) }, .block = { 32 } };
    kernels::BlockShape shape;
    shape.touched.resize(mebibytes.size());
    std::uint64_t address = 4096;
    for (const double size : mebibytes) {
        launch.buffers.push_back({ .name = {}, .address = address, .bytes = std::uint64_t(size * kMebi), .fill = {} });
        address += launch.buffers.back().bytes;
    }
    const double middle = blocks / 2 * 128;
    shape.touched[readFrom].lines = 1;
    shape.touched[readFrom].middle = middle;
    shape.touched[writtenTo].storeLines = 1;
    shape.touched[writtenTo].middle = middle;
    return kernels::putBackOf(shape, { std::uint32_t(blocks) / 2 }, launch, blocks);
}

TEST(PutBack, buffersOfEarlierArgumentsComeLast)
{
    const auto sizes = ofCopy({ 3, 1, 1, 7 }, 8192);
    EXPECT_NEAR(sizes.afterReads / kMebi, 3, 0.01) << "the first one, not the last";
    EXPECT_NEAR(sizes.afterWrites / kMebi, 3, 0.01);
    EXPECT_EQ(sizes.writtenAfterReads, 0);
    EXPECT_EQ(sizes.readsBeforeWrites, 0);
}

TEST(PutBack, whatIsWrittenMayComeAfterWhatIsRead)
{
    const auto swapped = ofCopy({ 1, 1, 1 }, 8192, 2, 1);
    EXPECT_NEAR(swapped.writtenAfterReads / kMebi, 1, 0.01);
    EXPECT_NEAR(swapped.readsBeforeWrites / kMebi, 1, 0.01);
    EXPECT_NEAR(swapped.afterReads / kMebi, 1, 0.01) << "the first buffer";
}

TEST(PutBack, theRestOfABufferComesAfterWhatIsTouchedOfIt)
{
    const auto part = ofCopy({ 0.001, 5, 9 }, 8192);
    EXPECT_NEAR(part.afterReads / kMebi, 4, 0.05);
    EXPECT_NEAR(part.afterWrites / kMebi, 4 + 8, 0.05);
}

// h200_put_back.csv: what an H200 counted.
TEST(PutBack, whatDramReadsAndWritesFollowsTheCounters)
{
    const auto kernel = testKernel("kernels/experiment/put_back.cu");
    double read = 0, written = 0, ifReadFirst = 0;
    int rows = 0;
    for (const auto& [launch, counted] : countedLaunches("kernels/experiment/h200_put_back.csv")) {
        const auto [name, settings] = settingsOf(launch);
        const kernels::Prediction prediction = predictedLaunch(kernel, launch);
        const double touched = std::stod(settings.at("n")) * 4 / analysis::kSectorBytes;
        const double error = std::abs(value(prediction, Metric::DramReadSectors) - counted[0]) / touched;
        EXPECT_LT(error, 0.25) << launch;
        read += error;
        written += std::abs(value(prediction, Metric::DramWriteSectors) - counted[1]) / touched;
        ifReadFirst += counted[0] / touched;
        ++rows;
    }
    ASSERT_GT(rows, 30);
    RecordProperty("meanErrorRead", std::to_string(read / rows));
    RecordProperty("meanErrorWritten", std::to_string(written / rows));
    EXPECT_LT(read / rows, 0.03);
    EXPECT_LT(written / rows, 0.16);
    EXPECT_GT(ifReadFirst / rows, 0.3) << "if the L2 had it all";
}

} // namespace
