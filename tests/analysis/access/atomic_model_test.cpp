// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/atomic_model.h"

#include "tests/analysis/access/recorded_patterns.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace coalescope::analysis {
namespace {

using test::RecordedPattern;

/// Rows of atomic_counters.csv in one space, but for those of 2 bytes: they are loops that look at the word around.
std::vector<RecordedPattern> recordedAtomics(const std::string& space)
{
    auto patterns = test::recordedPatterns("atomic_counters.csv");
    std::erase_if(patterns, [&](const RecordedPattern& pattern) { return pattern.text("space") != space || pattern.text("width") == "2"; });
    for (RecordedPattern& pattern : patterns) {
        pattern.access.space = space == "global" ? Space::Global : Space::Shared;
        pattern.access.op = MemoryOp::Atomic;
    }
    return patterns;
}

bool isLoop(const std::string& op)
{
    const bool isWide = op.find("64") != std::string::npos && !op.starts_with("exch") && !op.starts_with("cas");
    return isWide || op.starts_with("add_f") || op.starts_with("add_h2") || op.starts_with("add_b2");
}

TEST(AtomicModel, sectorsEqualTheCounterInEveryRecordedRowButOneOfVectors)
{
    int rows = 0, differ = 0;
    for (const RecordedPattern& pattern : recordedAtomics("global")) {
        const long counted = pattern.count("l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum") + pattern.count("l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum");
        if (pattern.access.widthBytes == 16) {
            differ += atomicSectors(pattern.access) != counted;
        } else {
            EXPECT_EQ(atomicSectors(pattern.access), counted) << pattern.text("id");
        }
        EXPECT_EQ(1, pattern.count("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum") + pattern.count("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"));
        ++rows;
    }
    EXPECT_EQ(rows, 360);
    EXPECT_LE(differ, 2);
}

TEST(AtomicModel, whereLanesMeetInBanksTheCounterMayHaveMoreAndOnlyThere)
{
    std::ifstream file(COALESCOPE_SOURCE_DIR "/tests/analysis/access/h200_met_atomics.csv");
    int equal = 0, sure = 0, more = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#') || line.starts_with("op,"))
            continue;
        std::istringstream row(line);
        std::string part;
        WarpAccess access { .space = Space::Global, .active = kAllLanes };
        std::getline(row, part, ',');
        access.op = part == "atom" ? MemoryOp::Atomic : MemoryOp::Reduction;
        std::getline(row, part, ',');
        const auto counted = std::uint32_t(std::stoul(part));
        for (std::uint64_t& address : access.address) {
            std::getline(row, part, ',');
            address = 4 * std::stoull(part);
        }
        const std::uint32_t predicted = atomicSectors(access), open = openAtomicSectors(access);
        EXPECT_GE(counted, predicted) << line;
        EXPECT_LE(counted, predicted + open) << line;
        equal += counted == predicted;
        sure += open == 0;
        more += open > 0 && counted > predicted;
    }
    EXPECT_EQ(equal, 246);
    EXPECT_EQ(sure, 47);
    EXPECT_EQ(more, 93);
}

TEST(AtomicModel, oneLanesUpdateIsOneSectorAndOneWavefront)
{
    WarpAccess access { .space = Space::Global, .op = MemoryOp::Reduction, .isOneLanes = true, .active = kAllLanes };
    EXPECT_EQ(atomicSectors(access), 1u);
    access.isOneLanes = false;
    EXPECT_EQ(atomicSectors(access), 32u);
    access.active = 0;
    EXPECT_EQ(atomicSectors(access), 0u);
    access = { .space = Space::Shared, .op = MemoryOp::Atomic, .isOneLanes = true, .active = kAllLanes };
    EXPECT_EQ(bankReport(access)->wavefronts, 1u);
    EXPECT_EQ(bankReport(access)->conflicts, 0u);
    EXPECT_EQ(wavefronts(access).size(), 1u);
}

TEST(AtomicModel, loopsOfOneWarpEqualTheCountersInEveryRecordedRow)
{
    int rows = 0;
    for (RecordedPattern& pattern : recordedAtomics("shared")) {
        const std::string& op = pattern.text("op");
        if (!isLoop(op) || op.starts_with("max")) // a maximum that changes nothing leaves the loop
            continue;
        pattern.access.update = SharedUpdate::InALoop;
        const auto loop = loopReport(pattern.access);
        ASSERT_TRUE(loop);
        const bool isTriedInGlobal = op.starts_with("add_h2") || op.starts_with("add_b2"); // cuda_fp16.h gives them generic addresses
        EXPECT_EQ(loop->turns, pattern.count("sm__sass_inst_executed_op_shared_atom.sum")) << pattern.text("id");
        EXPECT_EQ(loop->turns, pattern.count("sm__sass_inst_executed_op_shared_ld.sum")) << pattern.text("id");
        EXPECT_EQ(loop->swapWavefronts + isTriedInGlobal, pattern.count("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum")) << pattern.text("id");
        EXPECT_EQ(loop->loads.wavefronts, pattern.count("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum")) << pattern.text("id");
        EXPECT_EQ(0, pattern.count("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum")) << pattern.text("id");
        ++rows;
    }
    EXPECT_EQ(rows, 120);
}

TEST(AtomicModel, othersOnSharedMemoryEqualTheCountersInEveryRecordedRow)
{
    int rows = 0;
    for (RecordedPattern& pattern : recordedAtomics("shared")) {
        const std::string& op = pattern.text("op");
        if (isLoop(op))
            continue;
        pattern.access.update = op.starts_with("cas") ? SharedUpdate::InTwoSteps : op == "add1_u32_r" ? SharedUpdate::Counted : SharedUpdate::LaneByLane;
        const auto report = bankReport(pattern.access);
        ASSERT_TRUE(report) << pattern.text("id");
        EXPECT_EQ(report->wavefronts, pattern.count("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum")) << pattern.text("id");
        EXPECT_EQ(report->conflicts, pattern.count("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum")) << pattern.text("id");
        EXPECT_EQ(1, pattern.count("sm__sass_inst_executed_op_shared_atom.sum")) << pattern.text("id");
        ++rows;
    }
    EXPECT_EQ(rows, 180);
}

TEST(AtomicModel, aLoopsPictureHasATurnForEachLaneOfABank)
{
    WarpAccess access { .space = Space::Shared, .op = MemoryOp::Atomic, .update = SharedUpdate::InALoop, .active = kAllLanes };
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
        access.address[lane] = lane / 4 * 4; // four lanes a word
    EXPECT_EQ(loopTurns(access).size(), 4u);
    EXPECT_EQ(wavefronts(access).size(), 4u);
    EXPECT_EQ(bankReport(access)->wavefronts, 4u);
    LaneMask served = 0;
    for (const LoopTurn& turn : loopTurns(access)) {
        EXPECT_EQ(std::popcount(turn.lanes), 8);
        served |= turn.lanes;
    }
    EXPECT_EQ(served, kAllLanes);
}

} // namespace
} // namespace coalescope::analysis
