// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/bank_model.h"

#include "tests/analysis/access/recorded_patterns.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>

namespace coalescope::analysis {

using test::RecordedPattern;
using test::recordedPatterns;

namespace {

WarpAccess sharedAccess(MemoryOp op, int width, const std::function<std::uint64_t(int)>& address)
{
    WarpAccess access {
        .space = Space::Shared, .op = op, .widthBytes = std::uint8_t(width), .active = kAllLanes
    };
    for (int lane = 0; lane < kWarpLanes; ++lane)
        access.address[lane] = address(lane);
    return access;
}

/// Loads and stores; of partial warps wavefronts alone were counted.
std::vector<RecordedPattern> sharedPatterns(bool partialWarps = true)
{
    auto patterns = recordedPatterns("shared_patterns.csv");
    if (partialWarps)
        std::ranges::move(recordedPatterns("partial_warps.csv"), std::back_inserter(patterns));
    for (RecordedPattern& pattern : patterns)
        pattern.access.space = Space::Shared;
    return patterns;
}

/// Rows of special_patterns.csv whose operation starts with `name`, as shared accesses.
std::vector<RecordedPattern> specialPatterns(const std::string& name, MemoryOp op, int width)
{
    auto patterns = recordedPatterns("special_patterns.csv");
    std::erase_if(patterns, [&](auto& pattern) { return !pattern.text("op").starts_with(name); });
    for (RecordedPattern& pattern : patterns) {
        pattern.access.space = Space::Shared;
        pattern.access.op = op;
        pattern.access.widthBytes = std::uint8_t(width);
        if (op == MemoryOp::MatrixLoad)
            pattern.access.matrices = std::uint8_t(pattern.text("op").back() - '0');
    }
    return patterns;
}

std::string counter(const char* start, const RecordedPattern& pattern)
{
    return start + pattern.text("op") + ".sum";
}

/// Checks that the wavefronts shown are as many as counted, hold at most one word a bank, and serve
/// each word of each lane exactly once.
void expectWavefrontsServe(const WarpAccess& access, std::uint32_t count, const std::string& id)
{
    const std::vector<Wavefront> fronts = wavefronts(access);
    ASSERT_EQ(fronts.size(), count) << id;
    std::map<std::uint64_t, LaneMask> served;
    for (const Wavefront& front : fronts) {
        LaneMask banks = 0, lanes = 0;
        for (const BankRequest& request : front.requests) {
            EXPECT_EQ(request.word % kBanks, std::uint64_t(request.bank)) << id;
            EXPECT_FALSE(banks >> request.bank & 1u) << id;
            banks |= LaneMask(1) << request.bank;
            lanes |= request.lanes;
            EXPECT_EQ(served[request.word] & request.lanes, 0u) << id;
            served[request.word] |= request.lanes;
        }
        EXPECT_EQ(lanes, front.lanes) << id;
    }
    std::map<std::uint64_t, LaneMask> asked;
    const int rows = access.op == MemoryOp::MatrixLoad ? 8 * access.matrices : kWarpLanes;
    for (int lane = 0; lane < rows; ++lane) {
        if (!(access.active >> lane & 1u))
            continue;
        const std::uint64_t last = access.address[lane] + access.widthBytes - 1;
        for (std::uint64_t word = access.address[lane] / 4; word <= last / 4; ++word)
            asked[word] |= LaneMask(1) << lane;
    }
    EXPECT_EQ(served, asked) << id;
}

} // namespace

TEST(BankModel, wavefrontsEqualTheHardwareInEveryRecordedLoadAndStore)
{
    const auto patterns = sharedPatterns();
    ASSERT_EQ(patterns.size(), 2412u);
    for (const RecordedPattern& pattern : patterns) {
        const auto report = bankReport(pattern.access);
        ASSERT_TRUE(report) << pattern.text("id");
        EXPECT_EQ(report->wavefronts,
            pattern.count(counter("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_", pattern)))
            << pattern.text("id");
    }
}

TEST(BankModel, conflictsEqualTheHardwareInEveryRecordedLoadAndStore)
{
    for (const RecordedPattern& pattern : sharedPatterns(false))
        EXPECT_EQ(bankReport(pattern.access)->conflicts,
            pattern.count(counter("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_", pattern)))
            << pattern.text("id");
}

TEST(BankModel, instrumentedWavefrontsEqualTheCounterInEveryRecordedRow)
{
    for (const RecordedPattern& pattern : sharedPatterns())
        EXPECT_EQ(bankReport(pattern.access)->wavefrontsSass,
            pattern.count(counter("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_", pattern)))
            << pattern.text("id");
}

TEST(BankModel, integerAtomicsEqualTheHardwareInEveryRecordedRow)
{
    const auto patterns = specialPatterns("atoms.add.u32", MemoryOp::Atomic, 4);
    ASSERT_EQ(patterns.size(), 60u);
    for (const RecordedPattern& pattern : patterns) {
        const auto report = bankReport(pattern.access);
        ASSERT_TRUE(report) << pattern.text("id");
        EXPECT_EQ(report->wavefronts,
            pattern.count("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"))
            << pattern.text("id");
        EXPECT_EQ(report->wavefrontsSass,
            pattern.count("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"))
            << pattern.text("id");
        expectWavefrontsServe(pattern.access, report->wavefronts, pattern.text("id"));
    }
}

SharedUpdate updateOf(const std::string& op)
{
    return op.starts_with("cas")                        ? SharedUpdate::InTwoSteps
        : op == "red.add1.u32"                          ? SharedUpdate::Counted
        : op.ends_with("64") && !op.starts_with("exch") ? SharedUpdate::InALoop
                                                        : SharedUpdate::LaneByLane;
}

TEST(BankModel, exchangesCountsComparesAndSwapsEqualTheHardwareInEveryRecordedRow)
{
    int rows = 0;
    for (RecordedPattern& pattern : recordedPatterns("atomic_patterns.csv")) {
        pattern.access.space = Space::Shared;
        pattern.access.op = MemoryOp::Atomic;
        pattern.access.update = updateOf(pattern.text("op"));
        if (pattern.access.update == SharedUpdate::InALoop)
            continue; // atomic_model_test.cpp
        const auto report = bankReport(pattern.access);
        ASSERT_TRUE(report) << pattern.text("id");
        EXPECT_EQ(report->wavefronts, pattern.count("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum")) << pattern.text("id");
        EXPECT_EQ(report->wavefrontsSass, pattern.count("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"))
            << pattern.text("id");
        if (pattern.access.update == SharedUpdate::InTwoSteps)
            EXPECT_EQ(wavefronts(pattern.access).size(), report->wavefronts);
        else
            expectWavefrontsServe(pattern.access, report->wavefronts, pattern.text("id"));
        ++rows;
    }
    EXPECT_EQ(rows, 260);
}

TEST(BankModel, ldmatrixEqualsTheHardwareInEveryRecordedRow)
{
    const auto patterns = specialPatterns("ldmatrix", MemoryOp::MatrixLoad, 16);
    ASSERT_EQ(patterns.size(), 90u);
    for (const RecordedPattern& pattern : patterns) {
        const auto report = bankReport(pattern.access);
        ASSERT_TRUE(report) << pattern.text("id");
        EXPECT_EQ(report->wavefronts,
            pattern.count("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"))
            << pattern.text("id");
        EXPECT_EQ(report->wavefrontsSass,
            pattern.count("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum"))
            << pattern.text("id");
        expectWavefrontsServe(pattern.access, report->wavefronts, pattern.text("id"));
    }
}

TEST(BankModel, sixteenByteAsyncCopiesEqualTheHardwareInEveryRecordedRow)
{
    const auto patterns = specialPatterns("cp.async.16", MemoryOp::AsyncCopy, 16);
    ASSERT_EQ(patterns.size(), 30u);
    for (const RecordedPattern& pattern : patterns) {
        const auto report = bankReport(pattern.access);
        ASSERT_TRUE(report) << pattern.text("id");
        EXPECT_EQ(report->wavefronts,
            pattern.count("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"))
            << pattern.text("id");
        EXPECT_EQ(report->wavefrontsSass,
            pattern.count("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"))
            << pattern.text("id");
        expectWavefrontsServe(pattern.access, report->wavefronts, pattern.text("id"));
    }
}

TEST(BankModel, narrowAsyncCopiesAreNotModelled)
{
    for (const int width : { 4, 8 }) {
        const auto access = sharedAccess(MemoryOp::AsyncCopy, width, [](int) { return 0; });
        EXPECT_EQ(bankReport(access).error().code, ErrorCode::UnsupportedInstruction);
        EXPECT_TRUE(wavefronts(access).empty());
    }
}

TEST(BankModel, wavefrontsServeEveryWordOfEveryLaneOnce)
{
    for (const RecordedPattern& pattern : sharedPatterns())
        expectWavefrontsServe(
            pattern.access, bankReport(pattern.access)->wavefronts, pattern.text("id"));
}

TEST(BankModel, sameWordIsBroadcast)
{
    const auto access = sharedAccess(MemoryOp::Load, 4, [](int) { return 64; });
    EXPECT_EQ(bankReport(access)->wavefronts, 1u);
    ASSERT_EQ(wavefronts(access).size(), 1u);
    EXPECT_EQ(wavefronts(access)[0].requests[0].lanes, kAllLanes);
}

TEST(BankModel, columnOfAnUnpaddedTileNeeds32Wavefronts)
{
    const auto access = sharedAccess(MemoryOp::Load, 4, [](int lane) { return lane * 128; });
    EXPECT_EQ(bankReport(access)->wavefronts, 32u);
    EXPECT_EQ(bankReport(access)->conflicts, 31u);
}

TEST(BankModel, columnOfAPaddedTileIsFreeOfConflicts)
{
    const auto access = sharedAccess(MemoryOp::Store, 4, [](int lane) { return lane * 132; });
    EXPECT_EQ(bankReport(access)->wavefronts, 1u);
    EXPECT_EQ(bankReport(access)->conflicts, 0u);
}

TEST(BankModel, bytesOfOneWordShareItsWavefront)
{
    const auto access = sharedAccess(MemoryOp::Store, 1, [](int lane) { return lane; });
    EXPECT_EQ(bankReport(access)->wavefronts, 1u);
    EXPECT_EQ(wavefronts(access)[0].requests.size(), 8u);
}

TEST(BankModel, wideBroadcastLoadMergesItsPhases)
{
    EXPECT_EQ(bankReport(sharedAccess(MemoryOp::Load, 16, [](int) { return 0; }))->wavefronts, 2u);
    EXPECT_EQ(bankReport(sharedAccess(MemoryOp::Load, 8, [](int) { return 0; }))->wavefronts, 1u);
    EXPECT_EQ(bankReport(sharedAccess(MemoryOp::Store, 16, [](int) { return 0; }))->wavefronts, 4u);
}

TEST(BankModel, atomicsOnOneWordAreServedLaneByLane)
{
    const auto access = sharedAccess(MemoryOp::Atomic, 4, [](int) { return 0; });
    EXPECT_EQ(bankReport(access)->wavefronts, 32u);
}

TEST(BankModel, everyStrideCountsTheWavefrontsThatServeIt)
{
    for (const MemoryOp op : { MemoryOp::Load, MemoryOp::Store }) {
        for (const int width : { 1, 2, 4, 8, 16 }) {
            for (int step = -70; step <= 70; ++step) {
                const auto access = sharedAccess(
                    op, width, [&](int lane) { return 65536 + lane * step * width; });
                const std::string id
                    = std::to_string(width) + " bytes, step " + std::to_string(step);
                expectWavefrontsServe(access, bankReport(access)->wavefronts, id);
            }
        }
    }
}

TEST(BankModel, inactiveWarpCostsNothing)
{
    auto access = sharedAccess(MemoryOp::Load, 16, [](int) { return 0; });
    access.active = 0;
    EXPECT_EQ(*bankReport(access), BankReport {});
    EXPECT_TRUE(wavefronts(access).empty());
}

TEST(BankModel, addressesOfInactiveLanesMeanNothing)
{
    auto access = sharedAccess(MemoryOp::Load, 8, [](int lane) { return lane * 8; });
    access.active = 0x0f0f0f0fu;
    const BankReport report = *bankReport(access);
    for (int lane = 0; lane < kWarpLanes; ++lane)
        if (!(access.active >> lane & 1u))
            access.address[lane] = 0xdeadbeef01u;
    EXPECT_EQ(*bankReport(access), report);
}

TEST(BankModel, whatIsNotModelledIsAnError)
{
    auto access = sharedAccess(MemoryOp::Load, 3, [](int) { return 0; });
    EXPECT_EQ(bankReport(access).error().code, ErrorCode::UnsupportedWidth);
    access = sharedAccess(MemoryOp::Atomic, 2, [](int) { return 0; });
    EXPECT_EQ(bankReport(access).error().code, ErrorCode::UnsupportedWidth);
    access = sharedAccess(MemoryOp::Load, 4, [](int lane) { return lane * 4 + 2; });
    EXPECT_EQ(bankReport(access).error().code, ErrorCode::BadInput);
    access.space = Space::Global;
    EXPECT_EQ(bankReport(access).error().code, ErrorCode::BadInput);
}

} // namespace coalescope::analysis
