// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/control_flow.h"

#include <gtest/gtest.h>

namespace coalescope::analysis {
namespace {

/// Builds programs a line at a time; predicates are register 0.
struct Builder {
    Program program;

    Builder& plain()
    {
        program.instructions.emplace_back().op = Opcode::Add;
        return *this;
    }
    Builder& branch(std::uint32_t target, bool guarded = true)
    {
        Instruction& ins = program.instructions.emplace_back();
        ins.op = Opcode::Bra;
        ins.target = target;
        ins.guard = guarded ? 0 : kNone;
        return *this;
    }
    Builder& exit(bool guarded = false)
    {
        Instruction& ins = program.instructions.emplace_back();
        ins.op = Opcode::Exit;
        ins.guard = guarded ? 0 : kNone;
        return *this;
    }
    Builder& table(std::vector<std::uint32_t> targets)
    {
        Instruction& ins = program.instructions.emplace_back();
        ins.op = Opcode::BrxIdx;
        ins.target = static_cast<std::uint32_t>(program.branchTables.size());
        program.branchTables.push_back(std::move(targets));
        return *this;
    }
    std::uint32_t meets(std::size_t branch)
    {
        computeReconvergence(program);
        return program.instructions[branch].reconverge;
    }
};

TEST(ControlFlow, ifWithoutElseMeetsBehindIt)
{
    EXPECT_EQ(Builder().branch(2).plain().plain().exit().meets(0), 2u);
}

TEST(ControlFlow, ifElseMeetsBehindBoth)
{
    // 0: @p bra 3; 1: add; 2: bra 4; 3: add; 4: add; 5: exit
    EXPECT_EQ(Builder().branch(3).plain().branch(4, false).plain().plain().exit().meets(0), 4u);
}

TEST(ControlFlow, loopMeetsBehindItsBranch)
{
    EXPECT_EQ(Builder().plain().plain().branch(1).plain().exit().meets(2), 3u);
}

TEST(ControlFlow, breakMeetsBehindTheLoop)
{
    // 0: add; 1: @p bra 4; 2: add; 3: @p bra 0; 4: add; 5: exit
    Builder b;
    b.plain().branch(4).plain().branch(0).plain().exit();
    EXPECT_EQ(b.meets(1), 4u);
    EXPECT_EQ(b.meets(3), 4u);
}

TEST(ControlFlow, jumpTableMeetsBehindAllCases)
{
    // 0: brx {1, 3, 5}; 1: add; 2: bra 6; 3: add; 4: bra 6; 5: add; 6: exit
    EXPECT_EQ(Builder()
                  .table({ 1, 3, 5 })
                  .plain()
                  .branch(6, false)
                  .plain()
                  .branch(6, false)
                  .plain()
                  .plain()
                  .exit()
                  .meets(0),
        6u);
}

TEST(ControlFlow, sidesThatBothLeaveMeetNowhereEarly)
{
    // 0: @p bra 2; 1: exit; 2: exit
    EXPECT_EQ(Builder().branch(2).exit().exit().meets(0), 3u);
}

TEST(ControlFlow, boundsCheckRunsOnWithTheLanesThatStay)
{
    // 0: @p bra 3; 1: add; 2: add; 3: exit
    EXPECT_EQ(Builder().branch(3).plain().plain().exit().meets(0), 1u);
}

TEST(ControlFlow, guardedExitDoesNotHideTheMeetingPoint)
{
    // 0: @p bra 3; 1: @p exit; 2: add; 3: add; 4: exit
    EXPECT_EQ(Builder().branch(3).exit(true).plain().plain().exit().meets(0), 3u);
}

TEST(ControlFlow, earlyReturnInsideAnIfDoesNotHideTheMeetingPoint)
{
    // 0: @p bra 3; 1: @q bra 5; 2: add; 3: add; 4: add; 5: exit
    Builder b;
    b.branch(3).branch(5).plain().plain().plain().exit();
    EXPECT_EQ(b.meets(0), 3u);
    EXPECT_EQ(b.meets(1), 2u);
}

TEST(ControlFlow, returnAfterWorkDoesNotHideTheMeetingPoint)
{
    // 0: @p bra 5; 1: @q bra 4; 2: add; 3: exit; 4: add; 5: add; 6: add; 7: exit
    Builder b;
    b.branch(5).branch(4).plain().exit().plain().plain().plain().exit();
    EXPECT_EQ(b.meets(0), 5u);
    EXPECT_EQ(b.meets(1), 4u);
}

TEST(ControlFlow, returnInsideALoopDoesNotHideWhereTheLoopEnds)
{
    // 0: add; 1: @p bra 7; 2: @p bra 4; 3: add; 4: add; 5: @p bra 0; 6: add; 7: exit
    Builder b;
    b.plain().branch(7).branch(4).plain().plain().branch(0).plain().exit();
    EXPECT_EQ(b.meets(1), 2u);
    EXPECT_EQ(b.meets(2), 4u);
    EXPECT_EQ(b.meets(5), 6u);
}

TEST(ControlFlow, endlessLoopHasNoMeetingPoint)
{
    EXPECT_EQ(Builder().plain().branch(0).branch(0, false).meets(1), 3u);
}

TEST(ControlFlow, blocksEndAtBranchesTargetsAndExits)
{
    Builder b;
    b.plain().branch(3).plain().plain().exit(true).exit();
    const std::vector<BasicBlock> blocks = basicBlocks(b.program);
    ASSERT_EQ(blocks.size(), 4u);
    EXPECT_EQ(blocks[0].successors, (std::vector<std::uint32_t> { 1, 2 }));
    EXPECT_EQ(blocks[2].begin, 3u);
    EXPECT_EQ(blocks[2].end, 5u);
    EXPECT_EQ(blocks[2].successors, (std::vector<std::uint32_t> { 3, 4 }));
}

} // namespace
} // namespace coalescope::analysis
