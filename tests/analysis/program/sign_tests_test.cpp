// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/sign_tests.h"

#include "analysis/ptx/parse.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coalescope::analysis {
namespace {

/// The instructions up to the return, as `or.b32 t a b`, after the split.
std::string split(const std::string& body)
{
    auto program = parsePtx(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
                            ".reg .b32 a, b, c, t, u;\n.reg .b64 w, x, y;\n.reg .pred p1, p2;\n"
        + body + "\nret;\n}\n");
    EXPECT_TRUE(program.has_value()) << program.error().detail << '\n' << body;
    if (!program)
        return {};
    splitSignTests(*program);
    std::string text;
    for (std::uint32_t i = 0; i + 1 < program->instructions.size(); ++i) {
        const Instruction& ins = program->instructions[i];
        text += (text.empty() ? "" : "; ") + program->mnemonic(i);
        const auto add = [&](const Operand& operand) {
            if (operand.kind == OperandKind::Register)
                text += ' ' + program->registerName[operand.index];
            else if (operand.kind == OperandKind::Immediate)
                text += ' ' + std::to_string(std::int32_t(operand.bits));
        };
        std::ranges::for_each(ins.dst, add);
        std::ranges::for_each(ins.src, add);
    }
    return text;
}

TEST(SignTests, theSignOfBitsOfTwoBecomesTwoComparisons)
{
    EXPECT_EQ(split("or.b32 t, a, b; setp.lt.s32 p1, t, 0;"), "setp.lt.s32 t a 0; setp.lt.or.s32 p1 b 0 t");
    EXPECT_EQ(split("or.b32 t, a, b; setp.ge.s32 p1, t, 0;"), "setp.ge.s32 t a 0; setp.ge.and.s32 p1 b 0 t");
    EXPECT_EQ(split("or.b32 t, a, b; setp.gt.s32 p1, t, -1;"), "setp.gt.s32 t a -1; setp.gt.and.s32 p1 b -1 t");
    EXPECT_EQ(split("and.b32 t, a, b; setp.le.s32 p1, t, -1;"), "setp.le.s32 t a -1; setp.le.and.s32 p1 b -1 t");
    EXPECT_EQ(split("and.b32 t, a, b; setp.ge.s32 p1, t, 0;"), "setp.ge.s32 t a 0; setp.ge.or.s32 p1 b 0 t");
    EXPECT_EQ(split("or.b64 w, x, y; setp.lt.s64 p1, w, 0;"), "setp.lt.s64 w x 0; setp.lt.or.s64 p1 y 0 w");
}

TEST(SignTests, chainsComeApart)
{
    const char* whole = "setp.lt.s32 t a 0; setp.lt.or.s32 u b 0 t; setp.lt.or.s32 p1 c 0 u";
    EXPECT_EQ(split("or.b32 t, a, b; or.b32 u, t, c; setp.lt.s32 p1, u, 0;"), whole);
    EXPECT_EQ(split("or.b32 t, a, b; or.b32 u, c, t; setp.lt.s32 p1, u, 0;"), whole);
}

TEST(SignTests, whatIsNeededOtherwiseStays)
{
    for (const char* body : { "or.b32 t, a, b; setp.lt.s32 p1, t, 1;", "or.b32 t, a, b; setp.lt.u32 p1, t, 0;",
             "or.b32 t, a, b; setp.eq.s32 p1, t, 0;", "or.b32 t, a, b; setp.gt.s32 p1, t, 0;",
             "or.b32 t, a, b; setp.lt.s32 p1, t, 0; mov.b32 u, t;", "xor.b32 t, a, b; setp.lt.s32 p1, t, 0;",
             "or.b32 t, a, b; setp.lt.s32 p1|p2, t, 0;", "or.b32 t, a, b; setp.lt.and.s32 p1, t, 0, p2;",
             "@p2 or.b32 t, a, b; setp.lt.s32 p1, t, 0;", "or.b32 t, a, b; L: setp.lt.s32 p1, t, 0; @p1 bra L;",
             "or.b32 t, a, 7; setp.lt.s32 p1, t, 0;", "or.b32 t, a, b; mov.b32 a, c; mov.b32 b, c; setp.lt.s32 p1, t, 0;" })
        EXPECT_TRUE(split(body).starts_with("or.b32") || split(body).starts_with("xor.b32")) << split(body);
}

TEST(SignTests, whatChangesInBetweenIsComparedFirst)
{
    EXPECT_EQ(split("or.b32 t, a, b; mov.b32 b, c; setp.lt.s32 p1, t, 0;"), "setp.lt.s32 t b 0; mov.b32 b c; setp.lt.or.s32 p1 a 0 t");
}

} // namespace
} // namespace coalescope::analysis
