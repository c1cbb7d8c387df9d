// SPDX-License-Identifier: Apache-2.0
#include "ptx_kernel.h"

namespace coalescope::analysis {
namespace {

using namespace testing_;

TEST(Divergence, bothSidesRunAndMeetAgain)
{
    const Program p = kernelOf("and.b32 %r1, %tid, 1;\nsetp.eq.u32 %p0, %r1, 0;\n@%p0 bra EVEN;\n"
                               "mov.u32 %r0, 100;\nbra.uni JOIN;\nEVEN:\nmov.u32 %r0, 200;\nJOIN:\n"
                               "add.u32 %r0, %r0, %tid;\nactivemask.b32 %r2;\npopc.b32 %r2, %r2;\n"
                               "mad.lo.u32 %r0, %r2, 1000, %r0;\n"
        + kStoreR0);
    const auto out = outputOf(p, launchOf({ 1 }, { 32 }, 32));
    for (std::uint32_t t = 0; t < 32; ++t)
        EXPECT_EQ(out[t], 32000 + (t % 2 ? 100 : 200) + t);
}

TEST(Divergence, lanesLeaveALoopOneByOne)
{
    const Program p
        = kernelOf("mov.u32 %r0, 0;\nLOOP:\nsetp.gt.u32 %p0, %r0, %tid;\n@%p0 bra DONE;\n"
                   "add.u32 %r0, %r0, 1;\nbra.uni LOOP;\nDONE:\nactivemask.b32 %r2;\n"
                   "setp.ne.u32 %p1, %r2, 0xffffffff;\n@%p1 add.u32 %r0, %r0, 1000;\n"
            + kStoreR0);
    const auto out = outputOf(p, launchOf({ 1 }, { 32 }, 32));
    for (std::uint32_t t = 0; t < 32; ++t)
        EXPECT_EQ(out[t], t + 1);
}

TEST(Divergence, nestedBranchesMeetInside)
{
    const Program p
        = kernelOf("mov.u32 %r0, 0;\nsetp.lt.u32 %p0, %tid, 16;\n@!%p0 bra OUTER;\n"
                   "setp.lt.u32 %p1, %tid, 8;\n@!%p1 bra INNER;\nadd.u32 %r0, %r0, 1;\nINNER:\n"
                   "activemask.b32 %r1;\npopc.b32 %r1, %r1;\nadd.u32 %r0, %r0, %r1;\nOUTER:\n"
            + kStoreR0);
    const auto out = outputOf(p, launchOf({ 1 }, { 32 }, 32));
    for (std::uint32_t t = 0; t < 32; ++t)
        EXPECT_EQ(out[t], t < 8 ? 17u : t < 16 ? 16u : 0u);
}

TEST(Divergence, exitedLanesDoNotComeBack)
{
    const Program p
        = kernelOf("setp.lt.u32 %p0, %tid, 20;\nmov.u32 %r0, 7;\n@%p0 exit;\n" + kStoreR0);
    const Launch launch = launchOf({ 1 }, { 40 }, 40);
    const auto out = outputOf(p, launch);
    for (std::uint32_t t = 0; t < 40; ++t)
        EXPECT_EQ(out[t], t < 20 ? 0u : 7u);
    const auto totals = gridTotals(p, launch);
    ASSERT_TRUE(totals.has_value());
    std::uint64_t lanes = 0, executions = 0;
    for (const auto& i : totals->instructions)
        if (i.requests != 0) {
            lanes += i.activeLanes;
            executions += i.executions;
        }
    EXPECT_EQ(lanes, 20u);
    EXPECT_EQ(executions, 2u);
}

TEST(Divergence, guardThatLeavesNoLaneCountsNothing)
{
    const Program p = kernelOf("setp.gt.u32 %p0, %tid, 99;\n@%p0 ld.global.u32 %r0, [%in];\n");
    const auto totals = gridTotals(p, launchOf({ 5 }, { 32 }, 32));
    ASSERT_TRUE(totals.has_value());
    for (const auto& i : totals->instructions)
        EXPECT_EQ(i.requests, 0u);
}

TEST(Divergence, endlessLoopIsAnErrorWithItsLine)
{
    const Program p = kernelOf("mov.u32 %r0, 0;\nLOOP:\nadd.u32 %r0, %r0, 1;\nbra.uni LOOP;\n");
    const auto totals = gridTotals(p, launchOf({ 1 }, { 32 }, 32));
    ASSERT_FALSE(totals.has_value());
    EXPECT_EQ(totals.error().code, ErrorCode::ExecutionFailed);
    EXPECT_NE(totals.error().where.find("k.cu:"), std::string::npos) << totals.error().where;
}

TEST(Divergence, stopIsHonouredInsideABlock)
{
    const Program p = kernelOf("mov.u32 %r0, 0;\nLOOP:\nadd.u32 %r0, %r0, 1;\nbra.uni LOOP;\n");
    std::stop_source stop;
    stop.request_stop();
    const auto totals = gridTotals(p, launchOf({ 1 }, { 32 }, 32), { .stop = stop.get_token() });
    ASSERT_FALSE(totals.has_value());
    EXPECT_EQ(totals.error().code, ErrorCode::Cancelled);
    EXPECT_EQ(traceBlock(p, launchOf({ 1 }, { 32 }, 32), kFirst, stop.get_token()).error().code,
        ErrorCode::Cancelled);
}

TEST(Divergence, jumpTableSendsEachLaneItsWay)
{
    const Program p
        = kernelOf("and.b32 %r1, %tid, 3;\nts: .branchtargets A, B, C, D;\nbrx.idx %r1, ts;\n"
                   "A:\nmov.u32 %r0, 1;\nbra.uni J;\nB:\nmov.u32 %r0, 2;\nbra.uni J;\nC:\n"
                   "mov.u32 %r0, 3;\nbra.uni J;\nD:\nmov.u32 %r0, 4;\nJ:\nactivemask.b32 %r2;\n"
                   "popc.b32 %r2, %r2;\nmad.lo.u32 %r0, %r2, 10, %r0;\n"
            + kStoreR0);
    const auto out = outputOf(p, launchOf({ 1 }, { 32 }, 32));
    for (std::uint32_t t = 0; t < 32; ++t)
        EXPECT_EQ(out[t], 321 + t % 4);
}

} // namespace
} // namespace coalescope::analysis
