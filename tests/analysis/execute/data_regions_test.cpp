// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/data_regions.h"

#include "ptx_kernel.h"

namespace coalescope::analysis {
namespace {

using namespace testing_;

/// Loads word `tid + 32 bid`, does what `middle` says with %r3, and stores %r4 there.
std::string around(const std::string& middle)
{
    return "mad.lo.u32 %r1, %bid, 32, %tid;\nmul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd2, %in, %rd1;\nadd.u64 %rd3, %out, %rd1;\nld.global.u32 %r3, [%rd2];\n" + middle
        + "st.global.u32 [%rd3], %r4;\n";
}

/// One lane of a warp in two goes on, in even blocks: in[i] = i.
const std::string kSpecial = around("mov.u32 %r4, 1;\nand.b32 %r5, %r3, 63;\nsetp.gt.u32 %p1, %r5, 0;\n@%p1 bra MEET;\nmul.lo.u32 %r4, %r3, 7;\nadd.u32 %r4, %r4, 1;\nMEET:\n");

std::uint64_t executionsOfLine(const Program& program, const GridTotals& totals, std::uint32_t line)
{
    std::uint64_t executions = 0;
    for (std::size_t i = 0; i < program.instructions.size(); ++i)
        if (program.instructions[i].line == line)
            executions += totals.instructions[i].executions;
    return executions;
}

TEST(DataRegions, arithmeticThatDataDecideAboutNeedsNoValues)
{
    const Program program = kernelOf(kSpecial);
    const auto totals = gridTotals(program, launchOf({ 1000 }, { 32 }, 32000));
    ASSERT_TRUE(totals.has_value());
    EXPECT_FALSE(totals->valuesNeeded);
    EXPECT_EQ(totals->blocksExecuted, 1u);
    const auto every = gridTotals(program, launchOf({ 1000 }, { 32 }, 32000), { .executeEveryBlock = true });
    ASSERT_TRUE(every.has_value());
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
        EXPECT_EQ(totals->instructions[i].requests, every->instructions[i].requests);
        EXPECT_EQ(totals->instructions[i].sectors, every->instructions[i].sectors);
    }
}

TEST(DataRegions, howOftenItIsExecutedIsWhatSampledBlocksDo)
{
    const Program program = kernelOf(kSpecial);
    const auto some = gridTotals(program, launchOf({ 1000 }, { 32 }, 32000));
    const auto every = gridTotals(program, launchOf({ 1000 }, { 32 }, 32000), { .executeEveryBlock = true });
    ASSERT_TRUE(some && every);
    EXPECT_EQ(executionsOfLine(program, *every, 10), 500u) << "even blocks have a lane that goes on";
    const std::uint64_t sampled = executionsOfLine(program, *some, 10);
    EXPECT_EQ(sampled % 125, 0u) << "of eight blocks";
    EXPECT_GT(sampled, 0u);
    EXPECT_LT(sampled, 1000u);
    EXPECT_EQ(executionsOfLine(program, *some, 9), 1000u) << "the branch";
    EXPECT_EQ(some->warpInstructions - 2 * sampled, every->warpInstructions - 2 * 500);
    EXPECT_EQ(executionsOfLine(program, *some, 11), sampled);
}

TEST(DataRegions, addressesThatComeOutOfThemNeedValues)
{
    const Program program = kernelOf(around("mov.u64 %rd4, 0;\nsetp.gt.u32 %p1, %r3, 100;\n@%p1 bra MEET;\nmov.u64 %rd4, 64;\nMEET:\nadd.u64 %rd5, %in, %rd4;\nld.global.u32 %r4, [%rd5];\n"));
    const auto totals = gridTotals(program, launchOf({ 10 }, { 32 }, 320));
    ASSERT_TRUE(totals.has_value());
    EXPECT_TRUE(totals->valuesNeeded);
    EXPECT_EQ(executionsOfLine(program, *totals, 9), 4u) << "blocks whose lanes are at most 100";
}

TEST(DataRegions, loopsOfArithmeticUntilDataSaySoArePassedOver)
{
    const Program program = kernelOf(around("and.b32 %r4, %r3, 3;\nAGAIN:\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 8;\n@%p1 bra AGAIN;\n"));
    const auto some = gridTotals(program, launchOf({ 100 }, { 32 }, 3200));
    const auto every = gridTotals(program, launchOf({ 100 }, { 32 }, 3200), { .executeEveryBlock = true });
    ASSERT_TRUE(some && every);
    EXPECT_FALSE(some->valuesNeeded);
    EXPECT_EQ(some->warpInstructions, every->warpInstructions) << "all blocks do the same";
    EXPECT_EQ(some->instructions, every->instructions);
}

TEST(DataRegions, endBeforeStoresLoadsAndBarriers)
{
    for (const char* inside : { "st.global.u32 [%rd3], %r3;\n", "ld.global.u32 %r4, [%rd3];\n", "bar.sync 0;\n", "exit;\n", "vote.sync.any.pred %p2, %p1, -1;\n" }) {
        const Program program = kernelOf(around("mov.u32 %r4, 0;\nsetp.gt.u32 %p1, %r3, 100;\n@%p1 bra MEET;\n" + std::string(inside) + "MEET:\n"));
        const auto decoded = decode(program, launchOf({ 1 }, { 32 }, 32));
        ASSERT_TRUE(decoded.has_value());
        EXPECT_TRUE(decoded->regions.empty()) << inside;
    }
}

/// As sinf() does for large angles. `limit`: data above it go that way.
std::string withLocal(const std::string& limit, const std::string& before = {})
{
    return ".local .align 4 .b8 spill[16];\nmov.u64 %rd6, spill;\n" + before
        + around("mov.u32 %r4, 0;\nsetp.lt.u32 %p1, %r3, " + limit + ";\n@%p1 bra MEET;\nst.local.u32 [%rd6], %r3;\nld.local.u32 %r4, [%rd6];\nMEET:\n");
}

TEST(DataRegions, localMemoryOfNoSampledBlockIsPassedOver)
{
    const Program program = kernelOf(withLocal("1000000"));
    const auto totals = gridTotals(program, launchOf({ 100 }, { 32 }, 3200));
    ASSERT_TRUE(totals.has_value());
    EXPECT_FALSE(totals->valuesNeeded);
    EXPECT_EQ(totals->blocksExecuted, 1u);
}

TEST(DataRegions, localMemoryThatIsReachedNeedsValues)
{
    const Program program = kernelOf(withLocal("1600"));
    const auto some = gridTotals(program, launchOf({ 100 }, { 32 }, 3200));
    const auto every = gridTotals(program, launchOf({ 100 }, { 32 }, 3200), { .executeEveryBlock = true });
    ASSERT_TRUE(some && every);
    EXPECT_TRUE(some->valuesNeeded);
    EXPECT_EQ(some->instructions, every->instructions);
}

TEST(DataRegions, localMemoryThatIsUsedElsewhereIsNotPassedOver)
{
    const auto decoded = decode(kernelOf(withLocal("1000000", "st.local.u32 [%rd6], %tid;\n")), launchOf({ 1 }, { 32 }, 32));
    ASSERT_TRUE(decoded.has_value());
    EXPECT_TRUE(decoded->regions.empty());
}

} // namespace
} // namespace coalescope::analysis
