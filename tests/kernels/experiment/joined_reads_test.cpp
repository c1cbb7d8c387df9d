// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/joined_reads.h"

#include "tests/kernels/experiment/moving_grid.h"

#include <gtest/gtest.h>

namespace {

using namespace coalescope;

/// Of an H200 with a block on each SM.
kernels::AskingSms oneEach(double blocks) { return { .sms = 132, .smsPerGpc = 16.5, .blocks = blocks, .resident = 1, .warpsPerSm = 8 }; }

double joined(const MovingGrid& grid, const kernels::AskingSms& chip, std::vector<double> missed = {})
{
    return kernels::joinedReads(grid.footprint(), missed, chip);
}

TEST(JoinedReads, whatOneBlockAloneReadsIsReadForIt)
{
    EXPECT_DOUBLE_EQ(joined({ { 12, 11 }, { { kA, 4096, 12 * 4096, 32 } } }, oneEach(132)), 1);
}

TEST(JoinedReads, ofWhatAllBlocksReadFourAtMostAreOne)
{
    const MovingGrid grid({ 12, 11 }, { { kA, 0, 0, 32 } });
    EXPECT_DOUBLE_EQ(joined(grid, oneEach(132)), 0.25);
    EXPECT_GT(joined(grid, oneEach(2)), 0.8) << "two SMs, of which one may join the other";
}

TEST(JoinedReads, theMoreBlocksAnSmHasTheFewerMeet)
{
    const MovingGrid grid({ 132, 32 }, { { kA, 0, 0, 32 } });
    kernels::AskingSms chip = oneEach(132 * 32);
    double previous = 0;
    for (const double resident : { 2, 8, 32 }) {
        chip.resident = resident;
        chip.warpsPerSm = 64;
        const double left = joined(grid, chip);
        EXPECT_GT(left, previous) << resident;
        EXPECT_LT(left, 1);
        previous = left;
    }
}

TEST(JoinedReads, neighboursMeetInTheFirstWaveAndHardlyLater)
{
    // All blocks of a row read the same, 16 of them.
    const double oneWave = joined({ { 16, 8 }, { { kA, 0, 4096, 32 } } }, oneEach(128));
    const double manyWaves = joined({ { 16, 800 }, { { kA, 0, 4096, 32 } } }, oneEach(12800));
    EXPECT_LT(oneWave, 0.5);
    EXPECT_GT(manyWaves, 0.7);
}

TEST(JoinedReads, whatL1HasIsNotAskedFor)
{
    const MovingGrid grid({ 12, 11 }, { { kA, 4096, 12 * 4096, 32 }, { kB, 0, 0, 32 } });
    EXPECT_DOUBLE_EQ(joined(grid, oneEach(132), { 1, 1 }), (1 + 0.25) / 2);
    EXPECT_DOUBLE_EQ(joined(grid, oneEach(132), { 1, 0 }), 1);
    EXPECT_DOUBLE_EQ(joined(grid, oneEach(132), { 0, 0 }), 1) << "nothing is asked for";
}

} // namespace
