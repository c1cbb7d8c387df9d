// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/traffic.h"

#include <gtest/gtest.h>

namespace {

using namespace coalescope;

analysis::Traffic trafficOf(const char* kernel, const std::map<std::string, std::string>& settings)
{
    const auto spec = kernels::kernelNamed(kernel);
    EXPECT_TRUE(spec);
    const auto plan = kernels::planLaunch(**spec, settings);
    EXPECT_TRUE(plan);
    const auto prediction = kernels::predict(*plan, { .verify = false });
    if (!prediction) {
        ADD_FAILURE() << prediction.error().detail;
        return {};
    }
    const auto totals = analysis::gridTotals(*prediction->program, prediction->launch);
    EXPECT_TRUE(totals);
    return kernels::trafficOf(**analysis::deviceNamed("h200"), *prediction, *totals);
}

TEST(Traffic, aBlockAtTheEndOfARowDoesNotStandForTheOthers)
{
    // Of the 157 tiles of a row the last has 8 columns, and the block in the middle of the grid is one of those.
    const auto traffic = trafficOf("transpose_one_warp", { { "rows", "3000" }, { "cols", "5000" } });
    const double bytes = 3000.0 * 5000 * 4;
    EXPECT_NEAR(traffic.readBytes, bytes, 0.01 * bytes);
    EXPECT_NEAR(traffic.writeBytes, bytes, 0.01 * bytes);
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
