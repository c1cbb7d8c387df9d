// SPDX-License-Identifier: Apache-2.0
#include "analysis/grid/issued_by_blocks.h"

#include <gtest/gtest.h>

namespace {

using namespace coalescope::analysis;

using Issued = std::vector<std::uint32_t>;

TEST(IssuedByBlocks, areInTheOrderInWhichBlocksStart)
{
    IssuedByBlocks issued({ 3, 2 });
    issued.add({ .origin = { 0, 0, 0 }, .axis = { Axis { 2, { 1, 0, 0 } }, Axis { 2, { 0, 1, 0 } } }, .axes = 2 }, 10);
    issued.add(singleBlock({ 2, 1, 0 }), 40);
    issued.add(singleBlock({ 2, 0, 0 }), 30);
    EXPECT_EQ(issued.unequal(), (Issued { 10, 10, 30, 10, 10, 40 }));
}

TEST(IssuedByBlocks, ofSeveralThreadsAreOfOneGrid)
{
    IssuedByBlocks first({ 2 }), second({ 2 });
    first.add(singleBlock({ 1, 0, 0 }), 7);
    second.add(singleBlock({ 0, 0, 0 }), 3);
    first.merge(second);
    EXPECT_EQ(first.unequal(), (Issued { 3, 7 }));
}

TEST(IssuedByBlocks, areNotToldWhereTheBusiestIssuesLittleMoreThanTheAverage)
{
    IssuedByBlocks issued({ 100 });
    issued.add({ .origin = { 0, 0, 0 }, .axis = { Axis { 99, { 1, 0, 0 } } }, .axes = 1 }, 100);
    issued.add(singleBlock({ 99, 0, 0 }), 50); // at the border
    EXPECT_TRUE(issued.unequal().empty());
}

TEST(IssuedByBlocks, areNotKeptOfLargeGrids)
{
    IssuedByBlocks issued({ IssuedByBlocks::kMostBlocks + 1 });
    issued.add(singleBlock({ 0, 0, 0 }), 100);
    EXPECT_TRUE(issued.unequal().empty());
}

TEST(IssuedByBlocks, thatIssueNothingAreEqual) { EXPECT_TRUE(IssuedByBlocks({ 4 }).unequal().empty()); }

} // namespace
