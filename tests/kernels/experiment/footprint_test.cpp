// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/footprint.h"

#include "tests/kernels/experiment/moving_grid.h"

#include <gtest/gtest.h>

namespace {

using namespace coalescope;
using analysis::Dim3;
using analysis::TraceStep;


/// A tiled product of 64 x 64 tiles: a row of tiles of A, a column of B, 64 lines each.
MovingGrid product() { return { { 64, 64 }, { { kA, 0, 8192, 64 }, { kB, 8192, 0, 64 } } }; }

TEST(BlockMoves, aBlockOfTheNextRowLiesAStepAlongY)
{
    const MovingGrid grid({ 10, 10 }, { { kA, 128, 4096 } });
    EXPECT_EQ(grid.moves().shifts(0), std::vector<std::int64_t> { 0 });
    EXPECT_EQ(grid.moves().shifts(9), std::vector<std::int64_t> { 9 * 128 });
    EXPECT_EQ(grid.moves().shifts(23), std::vector<std::int64_t> { 3 * 128 + 2 * 4096 });
}

TEST(BlockMoves, aFactoredAxisIsCountedInItsPeriod)
{
    // Blocks in a row, 4 of them a matrix row; the box has lost its border.
    analysis::Box box;
    box.add({ .extent = 3, .step = { 1, 0, 0 } });
    box.add({ .extent = 8, .step = { 4, 0, 0 } });
    analysis::GridTotals totals { .moves = analysis::GridMoves { .box = box, .instructions = {} } };
    totals.moves->instructions.push_back(analysis::GridMoves::Move { 128, 4096 });
    analysis::BlockTrace trace { .block = { 0, 0, 0 } };
    TraceStep step;
    step.access.active = 1;
    trace.warps = { { step } };
    const auto moves = kernels::BlockMoves::of(totals, { 40 }, trace);
    ASSERT_TRUE(moves);
    EXPECT_EQ(moves->shifts(11), std::vector<std::int64_t> { 3 * 128 + 2 * 4096 });
    ASSERT_EQ(moves->axes().size(), 2u);
    EXPECT_EQ(moves->axes()[0].blocks, 4);
    EXPECT_EQ(moves->axes()[1].blocks, 10);
}

TEST(BlockMoves, aBoxOfFewBlocksDoesNotSpeakForTheOthers)
{
    analysis::Box row;
    row.add({ .extent = 50, .step = { 1, 0, 0 } });
    analysis::GridTotals totals { .moves = analysis::GridMoves { .box = row, .instructions = {} } };
    const auto alongX = kernels::BlockMoves::of(totals, { 50, 2 }, {});
    ASSERT_TRUE(alongX);
    EXPECT_FALSE(alongX->coversGrid()) << "how blocks move along y is not known";
    EXPECT_FALSE(kernels::BlockMoves::of(totals, { 1000 }, {}));
    EXPECT_TRUE(kernels::BlockMoves::of(totals, { 50 }, {}));
    totals.moves.reset();
    EXPECT_FALSE(kernels::BlockMoves::of(totals, { 50 }, {}));
}

TEST(Footprint, ofBlocksThatShareNothingGrowsByEachBlock)
{
    const MovingGrid grid({ 10, 10 }, { { kA, 128, 1280 } });
    for (const double blocks : { 1, 7, 10, 33, 100 })
        EXPECT_NEAR(grid.footprint().sectors(blocks), 4 * blocks, 1e-9);
    EXPECT_FALSE(grid.footprint().readsTheSame());
}

TEST(Footprint, ofWhatAllBlocksReadDoesNotGrow)
{
    const MovingGrid grid({ 10, 10 }, { { kA, 0, 0 } });
    EXPECT_EQ(grid.footprint().sectors(1), 4);
    EXPECT_EQ(grid.footprint().sectors(100), 4);
    EXPECT_TRUE(grid.footprint().readsTheSame());
}

TEST(Footprint, ofAProductIsItsRowsAndColumns)
{
    const MovingGrid grid = product();
    const double tiles = 64 * 4; ///< sectors of one block's row or column of tiles
    EXPECT_EQ(grid.footprint().sectors(1), 2 * tiles);
    EXPECT_NEAR(grid.footprint().sectors(64 * 64), 64 * tiles + 64 * tiles, 1e-6);
    // 64 blocks that begin anywhere touch two rows of A but for one in 64 times, and every column
    // of B.
    EXPECT_NEAR(grid.footprint().sectors(64), (1 + 63 / 64.0) * tiles + 64 * tiles, 1e-6);
}

TEST(Footprint, ofAStencilGrowsByWhatIsNew)
{
    // 2 lines, of which the next block along x reads one again.
    const MovingGrid grid({ 100 }, { { kA, 128, 0, 2 } });
    EXPECT_EQ(grid.footprint().sectors(10), 11 * 4);
    EXPECT_FALSE(grid.footprint().readsTheSame());
}

TEST(Footprint, blocksThatMoveByAPartOfASectorReadANewOneNowAndThen)
{
    const MovingGrid grid({ 800 }, { { kA, 4, 0, 1 } });
    EXPECT_NEAR(grid.footprint().sectors(800), 4 + 800 / 8, 2);
}

const analysis::DeviceModel& h200() { return **analysis::deviceNamed("h200"); }

/// What DRAM reads again, over what is distinct, of a product whose every matrix has so many bytes.
double productReadAgain(double matrixBytes, double running)
{
    const analysis::Traffic traffic {
        .blocks = 64 * 64, .readBytes = 2 * matrixBytes, .readLineBytes = 2 * matrixBytes
    };
    const MovingGrid grid = product();
    return kernels::bytesReadAgain(grid.footprint(), h200(), traffic, running) / traffic.readBytes;
}

TEST(BytesReadAgain, areNoneOfBlocksThatShareNothing)
{
    const MovingGrid grid({ 64, 64 }, { { kA, 128, 8192 } });
    const analysis::Traffic traffic { .blocks = 64 * 64, .readBytes = 1e9, .readLineBytes = 1e9 };
    EXPECT_EQ(kernels::bytesReadAgain(grid.footprint(), h200(), traffic, 100), 0);
}

TEST(BytesReadAgain, areNoneOfWhatTheL2Keeps)
{
    EXPECT_EQ(productReadAgain(1e6, 64), 0);
    EXPECT_EQ(productReadAgain(1e9, 64 * 64), 0) << "all blocks run together";
}

TEST(BytesReadAgain, areTheWholeOfBForEveryRowOfBlocksWhereTheL2DoesNotKeepIt)
{
    // Half of what is distinct is B. A window of 64 blocks reads all of it and two of 64 rows of A,
    // once a row: 64 windows of (1 + 1.98 / 64) B are 33.0 times what is distinct; it is read once
    // in any case.
    EXPECT_NEAR(productReadAgain(1e9, 64), 32, 0.7);
    EXPECT_NEAR(productReadAgain(1e9, 128), 15.8, 0.7) << "two rows at a time halve that";
}

TEST(BytesReadAgain, growFromNoneToAllAsTheMatrixOutgrowsTheL2)
{
    double last = 0;
    for (double bytes = 1e6; bytes < 1e9; bytes *= 1.1) {
        const double again = productReadAgain(bytes, 64);
        EXPECT_GE(again, last * 0.999);
        EXPECT_LT(again, 33);
        last = again;
    }
    EXPECT_GT(last, 31);
}

TEST(Footprint, ofLoadsThatComeAfterWhatWasFollowedIsNothing)
{
    const MovingGrid grid({ 10 }, { { kA, 128, 0, 3 }, { kB, 256, 0, 3 } }, 3);
    EXPECT_EQ(grid.footprint().sectors(0, 10), 48);
    EXPECT_EQ(grid.footprint().sectors(1, 10), 0);
    EXPECT_EQ(grid.footprint().sectors(10), 48);
}

} // namespace
