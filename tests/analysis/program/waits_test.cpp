// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/waits.h"

#include "analysis/ptx/parse.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coalescope::analysis {
namespace {

Program loopKernel(const std::string& body)
{
    auto program = parsePtx(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 q)\n{\n"
                            ".reg .b32 a, b, c, n, v;\n.reg .b64 x, y;\n.reg .pred p1, p2;\nld.param.u64 x, [p]; ld.param.u32 n, [q];\n"
        + body + "\nst.global.b32 [x+64], n; ret;\n}\n");
    EXPECT_TRUE(program.has_value()) << program.error().detail << '\n' << body;
    return program.value_or(Program {});
}

/// What became of the loops: "left" where all are passed, "turns" where none is, and how many else.
std::string passed(Program program)
{
    const auto jumpsBack = [&](const Instruction& ins) {
        return ins.op == Opcode::Bra && ins.target <= std::uint32_t(&ins - program.instructions.data());
    };
    const auto before = std::ranges::count_if(program.instructions, jumpsBack);
    passWaits(program);
    const auto marked = std::ranges::count_if(program.instructions, &Instruction::endsWait);
    return marked == before ? "left" : marked == 0 ? "turns" : std::to_string(marked);
}

} // namespace

TEST(Waits, ofTheGridsBarrierAreLeftAfterOneLook)
{
    const Program program = loopKernel("atom.add.release.gpu.u32 a, [x], 1;\nL: ld.acquire.gpu.u32 b, [x]; xor.b32 c, b, a; setp.gt.s32 p1, c, -1; @p1 bra L;");
    EXPECT_EQ(passed(program), "left");
    Program done = program;
    passWaits(done);
    const auto end = std::ranges::find_if(done.instructions, &Instruction::endsWait);
    EXPECT_EQ(end->guard, kNone);
    EXPECT_EQ(end->target, std::uint32_t(end - done.instructions.begin()) + 1);
}

TEST(Waits, areLeftHoweverTheyAreWritten)
{
    EXPECT_EQ(passed(loopKernel("L: ld.volatile.global.u32 b, [x]; setp.lt.u32 p1, b, n; @p1 bra L;")), "left");
    EXPECT_EQ(passed(loopKernel("L: atom.global.add.u32 b, [x], 0; setp.lt.u32 p1, b, n; @p1 bra L;")), "left");
    EXPECT_EQ(passed(loopKernel("L: ld.volatile.global.u32 b, [x]; setp.ge.u32 p1, b, n; @p1 bra M; nanosleep.u32 20; bra L;\nM:")), "left");
}

TEST(Waits, loopsThatDoMoreStayAsTheyAre)
{
    EXPECT_EQ(passed(loopKernel("L: ld.volatile.global.u32 b, [x]; setp.eq.u32 p1, b, 0; @p1 bra L; add.u32 n, n, b;")), "turns") << "the answer is used";
    EXPECT_EQ(passed(loopKernel("mov.u32 a, 0;\nL: ld.global.u32 b, [x]; add.u32 a, a, 1; setp.lt.u32 p1, a, n; @p1 bra L;")), "turns") << "it counts";
    EXPECT_EQ(passed(loopKernel("L: ld.global.u32 b, [x]; st.global.u32 [x+4], b; setp.lt.u32 p1, b, n; @p1 bra L;")), "turns") << "it stores";
    EXPECT_EQ(passed(loopKernel("L: atom.global.add.u32 b, [x], 1; setp.lt.u32 p1, b, n; @p1 bra L;")), "turns") << "it adds";
    EXPECT_EQ(passed(loopKernel("L: setp.lt.u32 p1, n, 5; @p1 bra L;")), "turns") << "it looks at nothing";
}

TEST(Waits, ofAKernelThatWritesNothingForOthersAreNone)
{
    auto program = parsePtx(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 b;\n.reg .b64 x;\n.reg .pred p1;\n"
                            "ld.param.u64 x, [p];\nL: ld.volatile.global.u32 b, [x]; setp.lt.u32 p1, b, 9; @p1 bra L; ret;\n}\n");
    ASSERT_TRUE(program);
    EXPECT_EQ(passed(*program), "turns");
}

} // namespace coalescope::analysis
