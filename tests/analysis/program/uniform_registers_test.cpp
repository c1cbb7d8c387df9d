// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/uniform_registers.h"

#include "analysis/ptx/parse.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coalescope::analysis {
namespace {

/// Whether the address of the atomic is the same in all lanes.
bool isUniformAddress(const std::string& body)
{
    const auto program = parsePtx(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 m)\n{\n"
                                  ".reg .b32 a, b, n;\n.reg .b64 x, y, z;\n.reg .pred q;\nld.param.u64 x, [p];\nld.param.u32 n, [m];\n"
        + body + "\nred.global.add.u32 [z], 1; ret;\n}\n");
    EXPECT_TRUE(program.has_value()) << program.error().detail << '\n' << body;
    if (!program)
        return false;
    const auto atomic = std::ranges::find_if(program->instructions, [](const Instruction& ins) { return ins.op == Opcode::Red; });
    return uniformRegisters(*program)[atomic->src[0].index];
}

TEST(UniformRegisters, areMadeOfParametersAndTheBlocksPlace)
{
    EXPECT_TRUE(isUniformAddress("mov.b64 z, x;"));
    EXPECT_TRUE(isUniformAddress("mov.u32 a, %ctaid.x; mul.lo.u32 a, a, n; mul.wide.u32 y, a, 4; add.u64 z, x, y;"));
    EXPECT_TRUE(isUniformAddress("ld.global.u64 z, [x];")) << "each lane loads the same";
}

TEST(UniformRegisters, areNotMadeOfTheLane)
{
    EXPECT_FALSE(isUniformAddress("mov.u32 a, %tid.x; mul.wide.u32 y, a, 4; add.u64 z, x, y;"));
    EXPECT_FALSE(isUniformAddress("mov.u32 a, %tid.x; mul.wide.u32 y, a, 4; add.u64 y, x, y; ld.global.u32 b, [y]; mul.wide.u32 y, b, 4; add.u64 z, x, y;"));
    EXPECT_FALSE(isUniformAddress("atom.global.add.u32 b, [x], 1; mul.wide.u32 y, b, 4; add.u64 z, x, y;"));
}

TEST(UniformRegisters, areNotChangedForSomeLanesOnly)
{
    EXPECT_FALSE(isUniformAddress("mov.b64 z, x; mov.u32 a, %tid.x; setp.lt.u32 q, a, 7; @q add.u64 z, z, 4;"));
    EXPECT_TRUE(isUniformAddress("mov.b64 z, x; setp.lt.u32 q, n, 7; @q add.u64 z, z, 4;"));
}

TEST(UniformRegisters, areWhatAWarpVotesAddsUpAndOneLaneShufflesToAll)
{
    const std::string end = " and.b32 a, a, 3; mul.wide.u32 y, a, 4; add.u64 z, x, y;", odd = "mov.u32 b, %tid.x; setp.gt.u32 q, b, 7; ";
    EXPECT_TRUE(isUniformAddress(odd + "vote.sync.ballot.b32 a, q, -1;" + end));
    EXPECT_TRUE(isUniformAddress(odd + "redux.sync.add.s32 a, b, -1;" + end));
    EXPECT_TRUE(isUniformAddress(odd + "shfl.sync.idx.b32 a, b, n, 31, -1;" + end));
    EXPECT_FALSE(isUniformAddress(odd + "shfl.sync.idx.b32 a, b, b, 31, -1;" + end));
    EXPECT_FALSE(isUniformAddress(odd + "shfl.sync.bfly.b32 a, b, 1, 31, -1;" + end));
}

TEST(UniformRegisters, areNotSetInPlacesOfWhichLanesTakeDifferentOnes)
{
    const std::string by = "mov.b64 z, x; mov.u32 a, %tid.x; setp.lt.u32 q, ", branch = ", 7; @q bra other; add.u64 z, x, 4; other:";
    EXPECT_FALSE(isUniformAddress(by + "a" + branch));
    EXPECT_TRUE(isUniformAddress(by + "n" + branch));
}

TEST(UniformRegisters, areCountersOfLoopsThatAllLanesLeaveTogether)
{
    const std::string loop = "mov.b64 z, x; mov.u32 a, 0; mov.u32 b, %tid.x; turn: add.u64 z, z, 4; add.u32 a, a, 1; setp.lt.u32 q, a, ";
    EXPECT_TRUE(isUniformAddress(loop + "n; @q bra turn;"));
    EXPECT_FALSE(isUniformAddress(loop + "b; @q bra turn;"));
}

} // namespace
} // namespace coalescope::analysis
