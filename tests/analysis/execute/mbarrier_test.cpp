// SPDX-License-Identifier: Apache-2.0
#include "ptx_kernel.h"

namespace coalescope::analysis {
namespace {

using namespace testing_;

// Two warps meet at an mbarrier for `count` threads that thread 0 initialises; what `arrives` says comes before the wait.
Program meeting(const std::string& count, const std::string& arrives = "mbarrier.arrive.shared.b64 %rd3, [meet];")
{
    return exchange(".shared .align 8 .b64 meet;\nsetp.ne.u32 %p1, %tid, 0;\n@!%p1 mbarrier.init.shared.b64 [meet], " + count
        + ";\nbar.warp.sync 0xffffffff;\nbar.sync 1;\n" + arrives
        + "\nWAIT:\nmbarrier.try_wait.parity.shared.b64 %p2, [meet], 0;\n@!%p2 bra WAIT;");
}

TEST(MBarrier, ordersWhatTheThreadsDidThatArrived)
{
    const std::string before = "st.shared.u32 [%r2], %tid;\nmbarrier.arrive.shared.b64 %rd3, [meet];";
    const std::string later = "mbarrier.arrive.shared.b64 %rd3, [meet];\nst.shared.u32 [%r2], %tid;";
    const auto ordered = traceBlock(meeting("64", before), launchOf({ 1 }, { 64 }, 64, 32), kFirst);
    const auto racy = traceBlock(meeting("64", later), launchOf({ 1 }, { 64 }, 64, 32), kFirst);
    ASSERT_TRUE(ordered && racy);
    EXPECT_TRUE(ordered->hazards.empty());
    EXPECT_NE(hazardOf(racy->hazards, HazardKind::SharedRace), nullptr);
}
TEST(MBarrier, countsAWaitOnceHoweverLongItLasts)
{
    const auto totals = gridTotals(meeting("64"), launchOf({ 6 }, { 64 }, 64, 32));
    ASSERT_TRUE(totals.has_value()) << totals.error().detail;
    const auto& code = meeting("64").instructions;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].op == Opcode::MBarrier && code[i].guard == kNone) {
            EXPECT_EQ(totals->instructions[i].executions, 12) << i;
        }
    }
}
TEST(MBarrier, hangIsAnErrorWithItsLine)
{
    const auto totals = gridTotals(meeting("65"), launchOf({ 2 }, { 64 }, 64, 32));
    ASSERT_FALSE(totals.has_value());
    EXPECT_EQ(totals.error().code, ErrorCode::ExecutionFailed);
    EXPECT_EQ(totals.error().where, "k.cu:12");
    EXPECT_NE(totals.error().detail.find("waits here for a phase of the mbarrier at shared offset"), std::string::npos);
}
TEST(MBarrier, tooManyArrivalsAreAnError)
{
    const std::string arrives = "@%p1 exit;\nmbarrier.arrive.noComplete.shared.b64 %rd3, [meet], 2;";
    const auto totals = gridTotals(meeting("1", arrives), launchOf({ 1 }, { 32 }, 64));
    ASSERT_FALSE(totals.has_value());
    EXPECT_NE(totals.error().detail.find("more often than its count of 1"), std::string::npos) << totals.error().detail;
}
TEST(MBarrier, useWithoutInitialisationIsAnError)
{
    const Program p = kernelOf(".shared .align 8 .b64 meet;\nmbarrier.arrive.shared.b64 %rd3, [meet];\n");
    const auto totals = gridTotals(p, launchOf({ 1 }, { 32 }, 64));
    ASSERT_FALSE(totals.has_value());
    EXPECT_NE(totals.error().detail.find("has not been initialised"), std::string::npos) << totals.error().detail;
    EXPECT_EQ(totals.error().where, "k.cu:2");
}
TEST(MBarrier, outsideSharedMemoryIsAnError)
{
    for (const std::string address : { "%in", "0x6ffffffffff8" }) {
        const auto totals = gridTotals(kernelOf("mbarrier.init.b64 [" + address + "], 1;\n"), launchOf({ 1 }, { 32 }, 64));
        ASSERT_FALSE(totals.has_value()) << address;
        EXPECT_NE(totals.error().detail.find("outside shared memory"), std::string::npos) << totals.error().detail;
    }
    const auto beyond = traceBlock(kernelOf(".shared .align 8 .b64 meet;\nmbarrier.init.shared.b64 [meet+64], 1;\n"), launchOf({ 1 }, { 32 }, 64), kFirst);
    ASSERT_TRUE(beyond.has_value());
    EXPECT_NE(hazardOf(beyond->hazards, HazardKind::OutOfBounds), nullptr);
}
TEST(MBarrier, lanesThatWaitApartAreNamed)
{
    const std::string apart = "mbarrier.arrive.shared.b64 %rd3, [meet];\n@%p1 bra DONE;";
    const auto trace = traceBlock(
        kernelOf(".shared .align 8 .b64 meet;\nsetp.ne.u32 %p1, %tid, 0;\n@!%p1 mbarrier.init.shared.b64 [meet], 32;\nbar.sync 0;\n"
            + apart + "\nWAIT:\nmbarrier.try_wait.parity.shared.b64 %p2, [meet], 0;\n@!%p2 bra WAIT;\nDONE:\n" + kStoreR0),
        launchOf({ 1 }, { 32 }, 64), kFirst);
    ASSERT_TRUE(trace.has_value());
    const Hazard* hazard = hazardOf(trace->hazards, HazardKind::NotModelled);
    ASSERT_NE(hazard, nullptr);
    EXPECT_EQ(hazard->line, 8);
    const auto together = traceBlock(meeting("64"), launchOf({ 1 }, { 64 }, 64, 32), kFirst);
    ASSERT_TRUE(together.has_value());
    EXPECT_TRUE(together->hazards.empty());
}

} // namespace
} // namespace coalescope::analysis
