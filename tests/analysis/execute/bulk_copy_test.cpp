// SPDX-License-Identifier: Apache-2.0
#include "ptx_kernel.h"

#include "analysis/access/sector_model.h"

namespace coalescope::analysis {
namespace {

using namespace testing_;

// Thread 0 of each block fetches `bytes` from in + 16 * block + `offset`.
Program bulkFetch(const std::string& bytes, const std::string& offset = "0", const std::string& expected = "")
{
    return kernelOf(".shared .align 128 .b8 tile[512];\n.shared .align 8 .b64 full;\nsetp.ne.u32 %p1, %tid, 0;\n@%p1 bra READY;\n"
                    "mbarrier.init.shared.b64 [full], 1;\nmad.wide.u32 %rd1, %bid, 16, %in;\n"
                    "mbarrier.arrive.expect_tx.shared.b64 %rd2, [full], " + (expected.empty() ? bytes : expected) + ";\n"
                    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1+" + offset + "], " + bytes + ", [full];\n"
                    "READY:\nbar.sync 0;\nWAIT:\nmbarrier.try_wait.parity.shared.b64 %p2, [full], 0;\n@!%p2 bra WAIT;\n"
                    "mov.u32 %r1, tile;\nmad.lo.u32 %r1, %tid, 4, %r1;\nld.shared.u32 %r0, [%r1];\n" + kStoreR0);
}

TEST(BulkCopy, isKnownToThoseWhoWait)
{
    const auto trace = traceBlock(bulkFetch("128"), launchOf({ 1 }, { 32 }, 64), kFirst);
    ASSERT_TRUE(trace.has_value());
    EXPECT_TRUE(trace->hazards.empty());
    const auto out = outputOf(bulkFetch("128"), launchOf({ 1 }, { 32 }, 64));
    for (std::uint32_t t = 0; t < 32; ++t)
        EXPECT_EQ(out[t], t);
}
TEST(BulkCopy, asksForTheSectorsOfEachLineOfSharedMemory)
{
    // 256 bytes from 16 bytes behind a sector: five sectors for each of two lines.
    const auto trace = traceBlock(bulkFetch("256", "16"), launchOf({ 1 }, { 32 }, 128), kFirst);
    ASSERT_TRUE(trace.has_value());
    std::vector<WarpAccess> copies;
    for (const TraceStep& step : trace->warps[0])
        if (step.kind == TraceKind::Access && step.access.op == MemoryOp::BulkLoad)
            copies.push_back(step.access);
    ASSERT_EQ(copies.size(), 2);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(copies[i].active, 0xffu);
        EXPECT_EQ(copies[i].address[0] % 256, 16 + 128 * i);
        const auto report = sectorReport(copies[i]);
        ASSERT_TRUE(report.has_value());
        EXPECT_EQ(report->sectors, 5);
    }
}
TEST(BulkCopy, beyondTheBufferIsNamed)
{
    const auto totals = gridTotals(bulkFetch("256"), launchOf({ 9 }, { 32 }, 64));
    ASSERT_TRUE(totals.has_value()) << totals.error().detail;
    const Hazard* hazard = hazardOf(totals->hazards, HazardKind::OutOfBounds);
    ASSERT_NE(hazard, nullptr);
    EXPECT_EQ(hazard->line, 8);
    EXPECT_TRUE(hazard->detail.starts_with("thread (0, 0, 0) of block (")) << hazard->detail;
    EXPECT_NE(hazard->detail.find("past the end of buffer `in` of 256 bytes"), std::string::npos) << hazard->detail;
}
TEST(BulkCopy, takesWholePiecesOf16Bytes)
{
    const auto odd = gridTotals(bulkFetch("24"), launchOf({ 1 }, { 32 }, 64));
    ASSERT_FALSE(odd.has_value());
    EXPECT_NE(odd.error().detail.find("copies 24 bytes at once; a bulk copy takes a multiple of 16"), std::string::npos);
    const auto tooMany = gridTotals(bulkFetch("4294967280"), launchOf({ 1 }, { 32 }, 64));
    ASSERT_FALSE(tooMany.has_value());
    EXPECT_NE(tooMany.error().detail.find("bytes of shared memory"), std::string::npos) << tooMany.error().detail;
    const auto misaligned = traceBlock(bulkFetch("128", "4"), launchOf({ 1 }, { 32 }, 64), kFirst);
    ASSERT_TRUE(misaligned.has_value());
    EXPECT_NE(hazardOf(misaligned->hazards, HazardKind::Misaligned), nullptr);
}
TEST(BulkCopy, fewerBytesThanExpectedHang)
{
    const auto totals = gridTotals(bulkFetch("128", "0", "256"), launchOf({ 1 }, { 32 }, 64));
    ASSERT_FALSE(totals.has_value());
    EXPECT_NE(totals.error().detail.find("hangs: warp 0 waits here"), std::string::npos) << totals.error().detail;
}

} // namespace
} // namespace coalescope::analysis
