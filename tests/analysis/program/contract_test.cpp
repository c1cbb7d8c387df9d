// SPDX-License-Identifier: Apache-2.0
// What ptxas 13.0 fuses of each sequence for sm_90, read from its machine code.
#include "analysis/program/contract.h"

#include "analysis/ptx/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace coalescope::analysis {
namespace {

Program programOf(const std::string& body)
{
    const std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
                             ".reg .f32 i<4>, t<12>;\n.reg .b64 out;\n.reg .pred x;\nld.param.u64 out, [p];\n"
        + body + "\nret;\n}\n";
    auto program = parsePtx(text);
    EXPECT_TRUE(program.has_value()) << program.error().detail << '\n' << text;
    return program ? *std::move(program) : Program {};
}

/// The operations that were fused, as `t2=i0*i1-t0 t3=-i0*i1+t0`.
std::string fused(const std::string& body)
{
    Program program = programOf(body);
    contractProducts(program);
    std::string text;
    for (const Instruction& ins : program.instructions) {
        if (ins.op != Opcode::Fma)
            continue;
        const auto name = [&](const Operand& operand) {
            return operand.kind == OperandKind::Register ? program.registerName[operand.index] : std::to_string(operand.bits);
        };
        text += (text.empty() ? "" : " ") + name(ins.dst[0]) + '=' + (ins.src[0].negated ? "-" : "") + name(ins.src[0]) + '*'
            + name(ins.src[1]) + (ins.src[2].negated ? '-' : '+') + name(ins.src[2]);
    }
    return text;
}

/// `t0=i0*i1 t1=t0-i2 | t0 t1` as PTX: what is behind the bar is stored.
std::string ptxOf(const std::string& sequence)
{
    std::istringstream words(sequence);
    std::string text;
    bool stores = false;
    for (std::string word; words >> word;) {
        if (word == "|") {
            stores = true;
        } else if (stores) {
            text += "st.global.f32 [out], " + word + ";\n";
        } else {
            const auto equals = word.find('='), sign = word.find_first_of("+-*");
            const std::string name = word[sign] == '+' ? "add" : word[sign] == '-' ? "sub" : "mul";
            text += name + ".f32 " + word.substr(0, equals) + ", " + word.substr(equals + 1, sign - equals - 1) + ", "
                + word.substr(sign + 1) + ";\n";
        }
    }
    return text;
}

TEST(ContractProducts, theProductsOfSumsAreThoseThatPtxasFuses)
{
    struct Row {
        const char *sequence, *fused;
    };
    constexpr auto kRows = std::to_array<Row>({
        { "t0=i0*i2 t1=i3*i3 t2=t0-i2 | t0 t1 t2", "" },
        { "t0=i2*i3 t1=i2*i2 t2=t0-t1 | t2", "t2=i2*i3-t1" },
        { "t0=i0*i2 t1=i1-t0 t2=i2*t1 t3=t2+t0 | t3", "t3=i2*t1+t0" },
        { "t0=i0*i1 t1=i3*i2 t2=t1-t0 t3=i2*i2 | t2 t3", "t2=i3*i2-t0" },
        { "t0=i2*i3 t1=i2*i2 t2=t0-t1 t3=t1+t1 t4=t3+t2 | t4", "t2=i2*i3-t1" },
        { "t0=i1*i3 t1=i0-i3 t2=t1*i1 t3=t0+t2 t4=t0-t2 | t3 t4", "t3=i1*i3+t2 t4=i1*i3-t2" },
        { "t0=i2*i2 t1=i1*i0 t2=t0+t1 t3=t0+i2 t4=t2+t1 | t3 t4", "t2=i2*i2+t1 t3=i2*i2+i2" },
        { "t0=i3*i3 t1=t0-i3 t2=i1*i2 t3=i3*t1 t4=t3+t2 | t4", "t1=i3*i3-i3 t4=i3*t1+t2" },
        { "t0=i1+i0 t1=i1*i2 t2=t0-t1 t3=i3*t2 t4=t3+t1 | t4", "t4=i3*t2+t1" },
        { "t0=i0*i2 t1=i3*i3 t2=t0-i2 t3=t1*i2 t4=t2-t3 t5=t3*t2 | t4 t5", "t2=i0*i2-i2" },
        { "t0=i2+i2 t1=i3*i2 t2=t0+t1 t3=i3+i3 t4=t2*t1 t5=t4+t1 t6=t2-t1 | t3 t5 t6", "t5=t2*t1+t1" },
        { "t0=i2*i0 t1=i1*i1 t2=i2*t0 t3=i3*t0 t4=i3-t3 t5=t0*t4 t6=t1+t5 | t2 t3 t4 t5 t6", "t6=i1*i1+t5" },
        { "t0=i1*i3 t1=i2-i1 t2=i1*i1 t3=i2*i3 t4=t2+t1 t5=t3*t4 t6=t5+t2 | t0 t1 t6", "t6=t3*t4+t2" },
        { "t0=i3+i1 t1=i1*i2 t2=i2-t1 t3=i2+t1 t4=i3+t0 t5=t0*t3 t6=t5*t5 t7=t3-t6 t8=t5*t6 | t2 t4 t5 t7 t8", "t2=-i1*i2+i2 t3=i1*i2+i2" },
        { "t0=i3+i2 t1=i0*i0 t2=i2-t1 t3=t2*t0 t4=i3-t3 t5=t2+t1 t6=t2-t5 t7=t3*t3 t8=t3-t4 | t2 t6 t7 t8", "t2=-i0*i0+i2 t5=i0*i0+t2" },
        { "t0=i3-i1 t1=i2*i2 t2=i3*i3 t3=t0*t1 t4=t2+t3 t5=t4-t2 t6=t5+t5 t7=t2-t5 t8=t6*t5 | t7 t8", "t4=t0*t1+t2" },
        { "t0=i2+i2 t1=t0+i1 t2=i3-i1 t3=i2*i3 t4=i3*t0 t5=t2*t3 t6=t2-t3 t7=t5+t6 t8=t3*t3 t9=t6+t4 t10=t5*t6 t11=t10-t6 | t1 t2 t7 t8 t9 t11", "t9=i3*t0+t6 t11=t5*t6-t6" },
        { "t0=i1*i0 t1=i3*i3 t2=i3+i2 t3=i3*i2 t4=i3-t3 t5=t4*t0 t6=t2*t2 t7=t3-t4 t8=t4*t7 t9=t6-t8 t10=t7+t9 t11=t8+t7 | t1 t5 t7 t10 t11", "t4=-i3*i2+i3 t7=i3*i2-t4 t9=t2*t2-t8" },
        { "t0=i2*i2 t1=i0-t0 t2=i3*i3 t3=i3-t0 t4=t3-i3 t5=t2*t1 t6=t2-t5 t7=t4*t5 t8=t5+t3 t9=t8*t7 t10=t5+t8 t11=t10*t9 | t0 t6 t11", "" },
        { "t0=i0*i2 t1=t0+t0 t2=i1+i1 t3=i3+t2 t4=t0*t0 t5=t1*t2 t6=t4*t4 t7=t4+t5 t8=t3*t3 t9=t7*t7 t10=t6+t5 t11=t10-t7 | t8 t9 t11", "t10=t4*t4+t5" },
        { "t0=i0-i3 t1=i1-i2 t2=i2-t1 t3=t2+t1 t4=t0+t3 t5=t0*t1 t6=t3+t2 t7=t3*t5 t8=t5*t6 t9=t6*t6 t10=t7-t8 t11=t10*t9 | t2 t4 t6 t11", "t10=t3*t5-t8" },
    });
    for (const Row& row : kRows)
        EXPECT_EQ(fused(ptxOf(row.sequence)), row.fused) << row.sequence;
}

TEST(ContractProducts, whatNamesARoundingStaysApart)
{
    EXPECT_EQ(fused("mul.rn.f32 t0, i0, i1; add.f32 t1, t0, i2; st.global.f32 [out], t1;"), "");
    EXPECT_EQ(fused("mul.f32 t0, i0, i1; add.rn.f32 t1, t0, i2; st.global.f32 [out], t1;"), "");
    EXPECT_EQ(fused("mul.ftz.f32 t0, i0, i1; add.ftz.f32 t1, t0, i2; st.global.f32 [out], t1;"), "t1=i0*i1+i2");
    EXPECT_EQ(fused("mul.ftz.f32 t0, i0, i1; add.f32 t1, t0, i2; st.global.f32 [out], t1;"), "");
    EXPECT_EQ(fused("mul.f32 t0, i0, i1; add.sat.f32 t1, t0, i2; st.global.f32 [out], t1;"), "t1=i0*i1+i2");
}

TEST(ContractProducts, aProductThatIsNeededElsewhereStaysApart)
{
    EXPECT_EQ(fused("mul.f32 t0, i0, i1; setp.gt.f32 x, t0, i2; add.f32 t1, t0, i2; @x st.global.f32 [out], t1;"), "");
    EXPECT_EQ(fused("mul.f32 t0, i0, i1; abs.f32 t1, t0; add.f32 t2, t1, i2; st.global.f32 [out], t2;"), "");
    EXPECT_EQ(fused("mul.f32 t0, i0, i1; setp.gt.f32 x, i0, i1; @!x bra E; add.f32 t1, t0, i2; st.global.f32 [out], t1; E:"), "");
    EXPECT_EQ(fused("mul.f32 t0, i0, i1; mov.f32 t1, i2; L: add.f32 t1, t0, t1; setp.lt.f32 x, t1, i3; @x bra L;"), "");
}

TEST(ContractProducts, aProductInItsLoopIsFused)
{
    EXPECT_EQ(fused("mov.f32 t1, i2; L: mul.f32 t0, i0, t1; add.f32 t1, t0, i1; setp.lt.f32 x, t1, i3; @x bra L;"), "t1=i0*t1+i1");
}

TEST(ContractProducts, factorsThatChangeInBetweenAreNotReadAgain)
{
    EXPECT_EQ(fused("mov.f32 t1, i2; mul.f32 t0, i0, t1; mov.f32 t1, i3; add.f32 t2, t0, t1; st.global.f32 [out], t2;"), "");
}

TEST(ContractProducts, aConstantFactorTakesTheSignItself)
{
    constexpr std::uint64_t kMinusHalf = 0xbf000000;
    Program program = programOf("mul.f32 t0, 0f3F000000, i1; sub.f32 t1, i2, t0; st.global.f32 [out], t1;");
    contractProducts(program);
    const auto sum = std::ranges::find(program.instructions, Opcode::Fma, &Instruction::op);
    ASSERT_NE(sum, program.instructions.end());
    EXPECT_EQ(sum->src[0].bits, kMinusHalf);
    EXPECT_FALSE(sum->src[0].negated);
}

} // namespace
} // namespace coalescope::analysis
