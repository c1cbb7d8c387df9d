// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/unequal_blocks.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace coalescope::analysis;

using Work = std::vector<std::uint32_t>;

TEST(UnequalBlocks, equalOnesTakeNoLonger)
{
    EXPECT_DOUBLE_EQ(unequalBlocks(Work(100, 7), { .startNs = 3, .leadNs = 20, .aloneNs = 100, .sharedNs = 40, .pools = 4, .slots = 8 }), 1);
    EXPECT_DOUBLE_EQ(unequalBlocks(Work {}, {}), 1);
    EXPECT_DOUBLE_EQ(unequalBlocks(Work(3, 0), { .aloneNs = 100 }), 1);
}

TEST(UnequalBlocks, launchLastsAsLongAsItsLongestBlock)
{
    // Of work 1, 1, 1, 5 on average 2: all at once, 100 ns for average work.
    EXPECT_DOUBLE_EQ(unequalBlocks(Work { 1, 1, 5, 1 }, { .aloneNs = 100, .pools = 4 }), 2.5);
}

TEST(UnequalBlocks, leadDoesNotGrowWithTheWork)
{
    EXPECT_DOUBLE_EQ(unequalBlocks(Work { 1, 1, 5, 1 }, { .leadNs = 100, .aloneNs = 100, .pools = 4 }), 350.0 / 200);
}

TEST(UnequalBlocks, oneThatBeginsLastIsWaitedFor)
{
    const BlockPace pace { .aloneNs = 100, .pools = 2 };
    EXPECT_DOUBLE_EQ(unequalBlocks(Work { 3, 1, 1, 1 }, pace), 1) << "one SM does three while the other does one";
    EXPECT_DOUBLE_EQ(unequalBlocks(Work { 1, 1, 1, 3 }, pace), 4.0 / 3);
}

TEST(UnequalBlocks, thoseOfAnSmThatIsFullShareIt)
{
    // Two on one SM that needs 100 ns for each: 1.5 and 0.5 of the average. The shorter ends at 100 ns, the longer at 200.
    EXPECT_DOUBLE_EQ(unequalBlocks(Work { 3, 1 }, { .aloneNs = 100, .sharedNs = 100, .pools = 1, .slots = 2 }), 1);
    // On SMs of their own the longer ends at 150 ns, an average one at 100.
    EXPECT_DOUBLE_EQ(unequalBlocks(Work { 3, 1 }, { .aloneNs = 100, .sharedNs = 100, .pools = 2, .slots = 2 }), 1.5);
}

TEST(UnequalBlocks, startsOneAfterTheOtherMayTakeLongerThanTheWork)
{
    // Eight starts of 50 ns; the last block is the longest.
    EXPECT_DOUBLE_EQ(unequalBlocks(Work { 1, 1, 1, 1, 1, 1, 1, 3 }, { .startNs = 50, .aloneNs = 15, .slots = 4 }), (400 + 36.0) / (400 + 15));
}

TEST(UnequalBlocks, areNeverSaidToTakeLessThanEqualOnes)
{
    EXPECT_DOUBLE_EQ(unequalBlocks(Work { 2, 2, 2, 2, 2, 2, 2, 1 }, { .startNs = 50, .aloneNs = 15, .slots = 4 }), 1); // the last one is short
}

} // namespace
