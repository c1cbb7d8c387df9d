// SPDX-License-Identifier: Apache-2.0
#include "ptx_kernel.h"

namespace coalescope::analysis {
namespace {

using namespace testing_;

TEST(SharedRace, readingAnotherWarpsWordWithoutBarrier)
{
    const auto trace = traceBlock(exchange(""), launchOf({ 1 }, { 64 }, 64, 32), kFirst);
    ASSERT_TRUE(trace.has_value());
    const Hazard* race = hazardOf(trace->hazards, HazardKind::SharedRace);
    ASSERT_NE(race, nullptr);
    // Warp 0 reads first: what warp 1 writes later races with that.
    EXPECT_EQ(std::min(race->line, race->otherLine), 4u);
    EXPECT_EQ(std::max(race->line, race->otherLine), 8u);
}
TEST(SharedRace, barrierOrders)
{
    const auto trace = traceBlock(exchange("bar.sync 0;"), launchOf({ 1 }, { 64 }, 64, 32), kFirst);
    ASSERT_TRUE(trace.has_value());
    EXPECT_TRUE(trace->hazards.empty());
    const auto out = outputOf(exchange("bar.sync 0;"), launchOf({ 1 }, { 64 }, 64, 32));
    for (std::uint32_t t = 0; t < 64; ++t)
        EXPECT_EQ(out[t], t ^ 32);
}
TEST(SharedRace, warpSyncOrdersItsOwnWarpOnly)
{
    const auto own
        = traceBlock(exchange("bar.warp.sync 0xffffffff;"), launchOf({ 1 }, { 64 }, 64, 1), kFirst);
    const auto other = traceBlock(
        exchange("bar.warp.sync 0xffffffff;"), launchOf({ 1 }, { 64 }, 64, 32), kFirst);
    const auto none = traceBlock(exchange(""), launchOf({ 1 }, { 64 }, 64, 1), kFirst);
    ASSERT_TRUE(own && other && none);
    EXPECT_TRUE(own->hazards.empty());
    EXPECT_NE(hazardOf(other->hazards, HazardKind::SharedRace), nullptr);
    EXPECT_NE(hazardOf(none->hazards, HazardKind::SharedRace), nullptr);
}
TEST(SharedRace, ownWordNeedsNoBarrier)
{
    EXPECT_TRUE(traceBlock(exchange(""), launchOf({ 1 }, { 64 }, 64, 0), kFirst)->hazards.empty());
}
TEST(SharedRace, loopWithoutItsSecondBarrier)
{
    const auto loop = [](const std::string& second) {
        return kernelOf(
            ".shared .align 4 .b8 tile[256];\nmov.u32 %r1, tile;\nmov.u32 %r5, 0;\n"
            "mad.lo.u32 %r2, %tid, 4, %r1;\nxor.b32 %r3, %tid, 32;\nmad.lo.u32 %r4, %r3, 4, %r1;\n"
            "LOOP:\nst.shared.u32 [%r2], %r5;\nbar.sync 0;\nld.shared.u32 %r0, [%r4];\n"
            + second + "\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p0, %r5, 3;\n@%p0 bra LOOP;\n");
    };
    const auto racy = gridTotals(loop(""), launchOf({ 10 }, { 64 }, 64));
    const auto clean = gridTotals(loop("bar.sync 0;"), launchOf({ 10 }, { 64 }, 64));
    ASSERT_TRUE(racy && clean);
    EXPECT_TRUE(clean->hazards.empty());
    const Hazard* race = hazardOf(racy->hazards, HazardKind::SharedRace);
    ASSERT_NE(race, nullptr);
    EXPECT_EQ(std::min(race->line, race->otherLine), 8u);
    EXPECT_EQ(std::max(race->line, race->otherLine), 10u);
}
TEST(SharedRace, oneStoreWithDifferentValuesForOneWord)
{
    const auto store = [](const std::string& value) {
        return kernelOf(".shared .align 4 .b8 tile[256];\nst.shared.u32 [tile], " + value + ";\n");
    };
    const auto differs = traceBlock(store("%tid"), launchOf({ 1 }, { 32 }, 32), kFirst);
    const auto same = traceBlock(store("%n"), launchOf({ 1 }, { 32 }, 32), kFirst);
    ASSERT_TRUE(differs && same);
    EXPECT_NE(hazardOf(differs->hazards, HazardKind::SharedRace), nullptr);
    EXPECT_TRUE(same->hazards.empty());
}
TEST(SharedRace, bytesOfOneWordAreApart)
{
    const auto bytes = [](const std::string& between) {
        return kernelOf(
            ".shared .align 4 .b8 tile[64];\nmov.u32 %r1, tile;\nadd.u32 %r2, %tid, %r1;\n"
            "st.shared.u8 [%r2], %tid;\n"
            + between + "\nld.shared.u8 %r0, [%r2];\n" + kStoreR0);
    };
    EXPECT_TRUE(traceBlock(bytes(""), launchOf({ 1 }, { 64 }, 64), kFirst)->hazards.empty());
    EXPECT_EQ(outputOf(bytes(""), launchOf({ 1 }, { 64 }, 64))[33], 33u);
}
TEST(SharedRace, atomicsDoNotRaceWithEachOther)
{
    const Program p
        = kernelOf(".shared .align 4 .b8 sum[4];\nmov.u32 %r1, sum;\nsetp.eq.u32 %p0, %tid, 0;\n"
                   "@%p0 st.shared.u32 [%r1], 0;\nbar.sync 0;\natom.shared.add.u32 %r2, [%r1], 1;\n"
                   "bar.sync 0;\nld.shared.u32 %r0, [%r1];\n"
            + kStoreR0);
    EXPECT_TRUE(traceBlock(p, launchOf({ 1 }, { 96 }, 96), kFirst)->hazards.empty());
    EXPECT_EQ(outputOf(p, launchOf({ 1 }, { 96 }, 96))[5], 96u);
}
TEST(SharedRace, namedBarriersOrderTheirWarps)
{
    // Warps 0 and 1 hand over through barrier 1; the consumer waits, the producer only arrives.
    const auto handOver = [](const std::string& producer, const std::string& consumer) {
        return kernelOf(
            ".shared .align 4 .b8 tile[128];\nmov.u32 %r1, tile;\nand.b32 %r5, %tid, 31;\n"
            "mad.lo.u32 %r2, %r5, 4, %r1;\nsetp.ge.u32 %p0, %tid, 32;\n@%p0 bra CONSUMER;\n"
            "st.shared.u32 [%r2], %tid;\n"
            + producer + "\nbra.uni DONE;\nCONSUMER:\n" + consumer
            + "\nld.shared.u32 %r0, [%r2];\nDONE:\n" + kStoreR0);
    };
    const auto good = traceBlock(
        handOver("bar.arrive 1, 64;", "bar.sync 1, 64;"), launchOf({ 1 }, { 64 }, 64), kFirst);
    const auto bad = traceBlock(handOver("", ""), launchOf({ 1 }, { 64 }, 64), kFirst);
    ASSERT_TRUE(good.has_value()) << good.error().detail;
    ASSERT_TRUE(bad.has_value());
    EXPECT_TRUE(good->hazards.empty());
    EXPECT_NE(hazardOf(bad->hazards, HazardKind::SharedRace), nullptr);
}

TEST(Uninitialised, sharedWordNobodyWrote)
{
    const Program p = kernelOf(".shared .align 4 .b8 tile[256];\nld.shared.u32 %r0, [tile+8];\n");
    const auto totals = gridTotals(p, launchOf({ 3 }, { 32 }, 32));
    ASSERT_TRUE(totals.has_value());
    const Hazard* h = hazardOf(totals->hazards, HazardKind::Uninitialised);
    ASSERT_NE(h, nullptr);
    EXPECT_EQ(h->line, 2u);
}

TEST(Uninitialised, sharedWordThatIsAddedToButNeverSet)
{
    const std::string add = "red.shared.add.u32 [tile+8], 1;\n", tile = ".shared .align 4 .b8 tile[256];\n";
    const auto totals = gridTotals(kernelOf(tile + add), launchOf({ 3 }, { 32 }, 32));
    ASSERT_TRUE(totals.has_value());
    const Hazard* h = hazardOf(totals->hazards, HazardKind::Uninitialised);
    ASSERT_NE(h, nullptr);
    EXPECT_EQ(h->line, 2u);
    for (const char* first : { "st.shared.u32 [tile+8], 0;\n", "atom.shared.exch.b32 %r0, [tile+8], 0;\n" }) {
        const auto set = gridTotals(kernelOf(tile + first + add), launchOf({ 3 }, { 32 }, 32));
        ASSERT_TRUE(set.has_value()) << first;
        EXPECT_EQ(hazardOf(set->hazards, HazardKind::Uninitialised), nullptr) << first;
    }
}

TEST(OutOfBounds, lastBlockOfTheGridIsNamed)
{
    const Program p = kernelOf("mov.u32 %r1, %ntid.x;\nmad.lo.u32 %r2, %bid, %r1, %tid;\n"
                               "mad.wide.u32 %rd1, %r2, 4, %in;\nld.global.u32 %r0, [%rd1];\n");
    const auto totals = gridTotals(p, launchOf({ 10 }, { 32 }, 319));
    ASSERT_TRUE(totals.has_value());
    EXPECT_EQ(totals->instructions.size(), p.instructions.size());
    const Hazard* h = hazardOf(totals->hazards, HazardKind::OutOfBounds);
    ASSERT_NE(h, nullptr);
    EXPECT_EQ(h->line, 4u);
    EXPECT_EQ(h->detail,
        "thread (31, 0, 0) of block (9, 0, 0) reads 4 bytes at 0x7000004fc, reaching 4 bytes past "
        "the end of "
        "buffer `in` of 1276 bytes");
}
TEST(OutOfBounds, anAddressFarFromEveryBufferIsNotSaidToBeAnyBuffers)
{
    const auto detailAt = [](const std::string& address) {
        const auto trace = traceBlock(kernelOf(address + "\nld.global.u32 %r0, [%rd1];\n"), launchOf({ 1 }, { 1 }, 64), kFirst);
        const Hazard* h = trace ? hazardOf(trace->hazards, HazardKind::OutOfBounds) : nullptr;
        return h ? h->detail : std::string();
    };
    EXPECT_NE(detailAt("add.u64 %rd1, %out, 256;").find("reaching 4 bytes past the end of buffer `out`"), std::string::npos);
    EXPECT_NE(detailAt("sub.u64 %rd1, %in, 1048576;").find("before the start of buffer `in`"), std::string::npos);
    for (const char* far : { "sub.u64 %rd1, %in, 1048580;", "add.u64 %rd1, %out, 7799661180;", "mov.u64 %rd1, -4;" })
        EXPECT_NE(detailAt(far).find("which lies in no buffer, nor near one"), std::string::npos) << detailAt(far);
    EXPECT_NE(detailAt("mov.u64 %rd1, 16;").find("4 bytes at 0x10, through a null pointer"), std::string::npos)
        << detailAt("mov.u64 %rd1, 16;");
}
TEST(OutOfBounds, storeIsDroppedAndLoadIsZero)
{
    const Program p
        = kernelOf("mad.wide.u32 %rd1, %tid, 4, %in;\nld.global.u32 %r0, [%rd1+-8];\n" + kStoreR0);
    const auto out = outputOf(p, launchOf({ 1 }, { 32 }, 16));
    EXPECT_EQ(out[1], 0u);
    EXPECT_EQ(out[5], 3u);
}
TEST(OutOfBounds, localAndSharedWindows)
{
    const Program p = kernelOf(".shared .align 4 .b8 tile[64];\nmov.u32 %r1, tile;\n"
                               "mad.lo.u32 %r2, %tid, 4, %r1;\nst.shared.u32 [%r2], %tid;\n");
    const auto trace = traceBlock(p, launchOf({ 1 }, { 32 }, 32), kFirst);
    ASSERT_TRUE(trace.has_value());
    const Hazard* h = hazardOf(trace->hazards, HazardKind::OutOfBounds);
    ASSERT_NE(h, nullptr);
    EXPECT_EQ(h->count, 16u);
}
TEST(Misaligned, wideLoadOfAnOddWord)
{
    const Program p = kernelOf(
        "mad.wide.u32 %rd1, %bid, 4, %in;\nld.global.v4.u32 {%r0,%r1,%r2,%r3}, [%rd1];\n");
    const auto totals = gridTotals(p, launchOf({ 9 }, { 32 }, 64));
    ASSERT_TRUE(totals.has_value());
    const Hazard* h = hazardOf(totals->hazards, HazardKind::Misaligned);
    ASSERT_NE(h, nullptr);
    EXPECT_NE(h->detail.find("block (1, 0, 0)"), std::string::npos) << h->detail;
    EXPECT_EQ(hazardOf(gridTotals(p, launchOf({ 1 }, { 32 }, 64))->hazards, HazardKind::Misaligned),
        nullptr);
}

/// Turns `turns` of a loop that loads a word a turn.
Program loopOf(const std::string& turns)
{
    return kernelOf("mov.u32 %r1, " + turns
        + ";\nTURN:\nmad.wide.u32 %rd0, %r1, 4, %in;\nld.global.u32 %r0, [%rd0];\n"
          "add.u32 %r1, %r1, 32;\nsetp.lt.u32 %p0, %r1, %n;\n@%p0 bra TURN;\n"
        + kStoreR0);
}

TEST(DivergentLoop, lanesThatLeaveAtDifferentTurnsAreNamed)
{
    const Program program = loopOf("%tid");
    for (const bool plan : { false, true }) {
        const auto totals = gridTotals(program, launchOf({ 1 }, { 64 }, 256, 100),
            { .executeEveryBlock = true, .planBlocks = plan });
        ASSERT_TRUE(totals.has_value()) << totals.error().detail;
        const Hazard* hazard = hazardOf(totals->hazards, HazardKind::DivergentLoop);
        ASSERT_NE(hazard, nullptr);
        EXPECT_EQ(hazard->line, 7);
        EXPECT_EQ(hazard->count, 2); // both warps
        EXPECT_TRUE(hazard->detail.starts_with("lanes of warp 0 of block (0, 0, 0)"));
    }
}

TEST(DivergentLoop, warpsThatLeaveTogetherAreNot)
{
    const auto totals = gridTotals(loopOf("%tid"), launchOf({ 1 }, { 64 }, 256, 96));
    ASSERT_TRUE(totals.has_value()) << totals.error().detail;
    EXPECT_EQ(hazardOf(totals->hazards, HazardKind::DivergentLoop), nullptr);
}

TEST(Barrier, hangIsAnErrorWithItsLine)
{
    const Program p
        = kernelOf("setp.ge.u32 %p0, %tid, 32;\n@%p0 bra OTHER;\nbar.sync 0;\nbra.uni DONE;\n"
                   "OTHER:\nbar.sync 1;\nDONE:\n");
    const auto totals = gridTotals(p, launchOf({ 1 }, { 64 }, 64));
    ASSERT_FALSE(totals.has_value());
    EXPECT_EQ(totals.error().code, ErrorCode::ExecutionFailed);
    EXPECT_EQ(totals.error().where, "k.cu:3");
}
TEST(Barrier, exitedWarpsAreNotWaitedFor)
{
    const Program p = kernelOf(
        "setp.ge.u32 %p0, %tid, 32;\n@%p0 exit;\nbar.sync 0;\nmov.u32 %r0, 5;\n" + kStoreR0);
    EXPECT_EQ(outputOf(p, launchOf({ 1 }, { 64 }, 64))[3], 5u);
}
TEST(Barrier, partOfAWarpIsReported)
{
    const Program p = kernelOf("setp.lt.u32 %p0, %tid, 7;\n@%p0 bar.sync 0;\n");
    const auto trace = traceBlock(p, launchOf({ 1 }, { 32 }, 32), kFirst);
    ASSERT_TRUE(trace.has_value()) << trace.error().detail;
    const Hazard* h = hazardOf(trace->hazards, HazardKind::BarrierDivergence);
    ASSERT_NE(h, nullptr);
    EXPECT_EQ(h->line, 2u);
    EXPECT_EQ(h->count, 1u);
}
TEST(Barrier, reductionCountsPredicatesOfTheBlock)
{
    const Program p
        = kernelOf("setp.lt.u32 %p0, %tid, 40;\nbar.red.popc.u32 %r0, 0, %p0;\n" + kStoreR0);
    const auto out = outputOf(p, launchOf({ 1 }, { 70 }, 70));
    EXPECT_EQ(out[0], 40u);
    EXPECT_EQ(out[69], 40u);
}

} // namespace
} // namespace coalescope::analysis
