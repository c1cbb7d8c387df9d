// SPDX-License-Identifier: Apache-2.0
#include "ptx_kernel.h"

namespace coalescope::analysis {
namespace {

using namespace testing_;

/// in[in[i] + n], then stored over in[i].
Program chase()
{
    return kernelOf("mad.lo.u32 %r0, %bid, 32, %tid;\n"
                    "mad.wide.u32 %rd0, %r0, 4, %in;\n"
                    "ld.global.u32 %r1, [%rd0];\n"
                    "add.u32 %r1, %r1, %n;\n"
                    "mad.wide.u32 %rd1, %r1, 4, %in;\n"
                    "ld.global.u32 %r2, [%rd1];\n"
                    "st.global.u32 [%rd0], %r2;\n"
                    "ld.global.u32 %r3, [%rd0];");
}

TEST(BlockTrace, severalBlocksAreTracedAsIfEachRanAlone)
{
    const Program program = chase();
    const Launch launch = launchOf({ 4 }, { 32 }, 256, 32);
    const std::vector<Dim3> blocks { { 2, 0, 0 }, { 1, 0, 0 }, { 0, 0, 0 } };
    const auto together = traceAddresses(program, launch, blocks);
    ASSERT_TRUE(together.has_value());
    ASSERT_EQ(together->size(), 3u);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const auto alone = traceAddresses(program, launch, blocks[i]);
        ASSERT_TRUE(alone.has_value());
        EXPECT_EQ((*together)[i].block, blocks[i]);
        const auto& steps = (*together)[i].warps.at(0);
        ASSERT_EQ(steps.size(), 4u);
        for (std::size_t s = 0; s < steps.size(); ++s)
            EXPECT_EQ(steps[s].access.address, alone->warps[0][s].access.address);
    }
}

TEST(BlockTrace, aBlockOutsideTheGridIsRefused)
{
    const std::vector<Dim3> blocks { { 0, 0, 0 }, { 4, 0, 0 } };
    const auto traces = traceAddresses(chase(), launchOf({ 4 }, { 32 }, 256), blocks);
    ASSERT_FALSE(traces.has_value());
    EXPECT_EQ(traces.error().code, ErrorCode::WrongUsage);
}

TEST(BlockTrace, blocksTogetherTakeNoMoreInstructionsThanTheyMay)
{
    const Program program = kernelOf("mov.u32 %r0, 0;\nAGAIN:\nadd.u32 %r0, %r0, 1;\nsetp.lt.u32 %p0, %r0, 10000;\n@%p0 bra AGAIN;");
    const Launch launch = launchOf({ 4 }, { 32 }, 32);
    const std::vector<Dim3> blocks { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 } };
    const auto all = traceAddresses(program, launch, blocks, {}, 200'000);
    ASSERT_TRUE(all) << all.error().detail;
    EXPECT_GT((*all)[0].warpInstructions, 30'000u);
    EXPECT_TRUE(traceAddresses(program, launch, std::span(blocks).first(1), {}, 60'000));
    const auto tooMany = traceAddresses(program, launch, blocks, {}, 60'000);
    ASSERT_FALSE(tooMany);
    EXPECT_EQ(tooMany.error().code, ErrorCode::ExecutionFailed);
}

TEST(BlockTrace, constantsAreCountedByTheirDifferentAddresses)
{
    const Program program = kernelOf(".const .align 8 .b8 table[64];\n"
                                     "and.b32 %r0, %tid, 3;\n"
                                     "mul.wide.u32 %rd0, %r0, 8;\n"
                                     "mov.u64 %rd1, table;\n"
                                     "add.s64 %rd0, %rd0, %rd1;\n"
                                     "ld.const.f32 %f0, [%rd0];\n"
                                     "ld.const.f32 %f1, [%rd0+4];\n"
                                     "ld.const.f32 %f2, [%rd0+8];\n"
                                     "ld.const.f32 %f3, [table+8];");
    const auto trace = traceAddresses(program, launchOf({ 1 }, { 32 }, 32), kFirst);
    ASSERT_TRUE(trace.has_value());
    EXPECT_EQ(trace->constants.at(0).requests, 2u) << "the first two are halves of eight bytes; the last has a fixed address";
    EXPECT_EQ(trace->constants.at(0).addresses, 8u);
}

TEST(BlockTrace, sixteenBytesOfConstantsAreTwoRequestsOfTheSameLines)
{
    const Program program = kernelOf(".const .align 16 .b8 table[1024];\n"
                                     "mov.u64 %rd0, table;\n"
                                     "mul.wide.u32 %rd1, %tid, 32;\n"
                                     "add.s64 %rd0, %rd0, %rd1;\n"
                                     "ld.const.v4.f32 {%f0, %f1, %f2, %f3}, [%rd0];");
    const auto trace = traceAddresses(program, launchOf({ 1 }, { 32 }, 32), kFirst);
    ASSERT_TRUE(trace.has_value());
    EXPECT_EQ(trace->constants.at(0).requests, 2u);
    EXPECT_EQ(trace->constants.at(0).addresses, 64u);
    EXPECT_EQ(trace->constants.at(0).ends, (std::vector<std::uint32_t> { 16, 32 })) << "two lanes a line";
}

TEST(BlockTrace, aConstantLoadThatNoLaneMakesIsNotCounted)
{
    const Program program = kernelOf(".const .align 8 .b8 table[64];\n"
                                     "mov.u64 %rd0, table;\n"
                                     "mul.wide.u32 %rd1, %tid, 0;\n"
                                     "add.s64 %rd0, %rd0, %rd1;\n"
                                     "setp.gt.u32 %p0, %tid, 64;\n"
                                     "@%p0 ld.const.f32 %f0, [%rd0];");
    const auto trace = traceAddresses(program, launchOf({ 1 }, { 32 }, 32), kFirst);
    ASSERT_TRUE(trace.has_value());
    EXPECT_EQ(trace->constants.at(0).requests, 0u);
}

TEST(BlockTrace, aWaitForCopiesTellsWhenTheyWereAskedFor)
{
    const std::string copy = "cp.async.ca.shared.global [%r1], [%rd0], 4;\n", commit = "cp.async.commit_group;\n";
    const Program program = kernelOf(".shared .align 8 .b8 buffer[128];\nmov.u32 %r1, buffer;\nmad.lo.u32 %r1, %tid, 4, %r1;\n"
                                     "mad.wide.u32 %rd0, %tid, 4, %in;\n"
        + copy + commit + copy + commit + commit + "cp.async.wait_group 2;\ncp.async.wait_group 1;\ncp.async.wait_group 0;\n" + copy
        + "cp.async.wait_all;\n");
    const auto trace = traceAddresses(program, launchOf({ 1 }, { 32 }, 32), kFirst);
    ASSERT_TRUE(trace.has_value()) << trace.error().detail;
    const auto& waits = trace->copyWaits.at(0);
    ASSERT_EQ(waits.size(), 3u) << "the last group has no copies";
    constexpr std::uint32_t kOfACopy = 2; // steps: its load and its store
    const std::array asked { 0u, kOfACopy, 2 * kOfACopy };
    for (std::size_t i = 0; i < waits.size(); ++i) {
        EXPECT_EQ(waits[i].asked, asked[i]) << i;
        EXPECT_EQ(waits[i].steps, (i < 2 ? 2 : 3) * kOfACopy) << i;
        EXPECT_FALSE(waits[i].barrier) << i;
    }
}

TEST(BlockTrace, loadsThatOthersMustSeeGoPastL1)
{
    for (const auto& [load, use] :
        { std::pair("ld.global.u32", L1Use::Cached), std::pair("ld.global.cg.u32", L1Use::Bypassed),
            std::pair("ld.volatile.global.u32", L1Use::Bypassed),
            std::pair("ld.relaxed.gpu.global.u32", L1Use::Bypassed) }) {
        const auto trace = traceAddresses(
            kernelOf(std::string(load) + " %r1, [%in];\nst.global.u32 [%out], %r1;"),
            launchOf({ 1 }, { 32 }, 32), kFirst);
        ASSERT_TRUE(trace.has_value());
        EXPECT_EQ(trace->warps.at(0).at(0).access.l1, use) << load;
    }
}

} // namespace
} // namespace coalescope::analysis
