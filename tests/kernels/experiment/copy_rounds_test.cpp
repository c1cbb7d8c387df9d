// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/copy_rounds.h"

#include <gtest/gtest.h>

#include <string_view>

namespace {

using namespace coalescope;
using analysis::MemoryOp;
using analysis::Space;

/// One warp after the other: c asks for copies, l loads from shared memory, s stores to global memory, and w waits for the copies that
/// were asked for last but `pending`.
kernels::CopyRounds roundsOf(std::initializer_list<std::string_view> warps, std::size_t pending)
{
    analysis::BlockTrace trace;
    for (const std::string_view warp : warps) {
        auto& steps = trace.warps.emplace_back();
        auto& waits = trace.copyWaits.emplace_back();
        std::vector<std::uint32_t> asked;
        std::size_t next = 0;
        for (const char what : warp) {
            const auto made = std::uint32_t(steps.size());
            if (what == 'w') {
                const std::size_t there = std::min(asked.size(), std::max(next + 1, asked.size() - std::min(pending, asked.size())));
                waits.push_back({ made, asked.at(there - 1), {} });
                next = there;
                continue;
            }
            if (what == 'c')
                asked.push_back(made);
            analysis::TraceStep step;
            step.access = { .space = what == 'l' ? Space::Shared : Space::Global,
                .op = what == 'c' ? MemoryOp::AsyncCopy : what == 'l' ? MemoryOp::Load : MemoryOp::Store };
            steps.push_back(step);
        }
    }
    return kernels::copyRounds(trace);
}

TEST(CopyRounds, whoWaitsAtOnceHasNothingAhead)
{
    const auto rounds = roundsOf({ "cwlcwlcwls" }, 0);
    EXPECT_EQ(rounds.rounds, 3);
    EXPECT_EQ(rounds.ahead, 0);
}

TEST(CopyRounds, twoBuffersAreOneRoundAhead)
{
    EXPECT_EQ(roundsOf({ "ccwlcwlcwlwls" }, 1).ahead, 1) << "asked for before the wait";
    EXPECT_EQ(roundsOf({ "cwclwclwclwls" }, 0).ahead, 1) << "asked for after it";
}

TEST(CopyRounds, fourBuffersAreThreeRoundsAhead)
{
    const auto rounds = roundsOf({ "cccwclwclwclwclwclwlwlwls" }, 2);
    EXPECT_EQ(rounds.rounds, 8);
    EXPECT_EQ(rounds.ahead, 3);
}

TEST(CopyRounds, areThoseOfTheWarpThatWaitsMost)
{
    EXPECT_EQ(roundsOf({ "l", "cwl", "cwlcwl" }, 0).rounds, 2);
    EXPECT_EQ(roundsOf({ "ls" }, 0).rounds, 0);
}

TEST(CopyRounds, storesAreLastWhereTheyFollowEveryWait)
{
    EXPECT_TRUE(roundsOf({ "cwlcwls" }, 0).storesLast);
    EXPECT_FALSE(roundsOf({ "cwlscwls" }, 0).storesLast);
}

TEST(CopyRounds, asManyMbarriersAsTellOfCopiesAreOneMoreThanAhead)
{
    analysis::BlockTrace trace;
    trace.warps.resize(1);
    trace.copyWaits = { { { 0, 0, 64 }, { 0, 0, 72 }, { 0, 0, 80 }, { 0, 0, 64 } } };
    EXPECT_EQ(kernels::copyRounds(trace).rounds, 4);
    EXPECT_EQ(kernels::copyRounds(trace).ahead, 2);
}

} // namespace
