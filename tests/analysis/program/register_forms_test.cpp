// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/register_forms.h"

#include "analysis/ptx/parse.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coalescope::analysis {
namespace {

Program programOf(const std::string& body)
{
    auto program = parsePtx(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n, .param .u32 m)\n{\n"
                            ".reg .b32 a, b, c, d, size, other;\n.reg .b64 x, y;\n.reg .pred q;\nld.param.u64 x, [p];\nld.param.v2.u32 {size, other}, [n];\n"
        + body + "\nst.global.u32 [x], a; ret;\n}\n");
    EXPECT_TRUE(program.has_value()) << program.error().detail << '\n' << body;
    return program ? *std::move(program) : Program {};
}

/// What `a` holds where it is stored.
Form formOf(RegisterForms& forms, const Program& program)
{
    const auto store = std::ranges::find_if(program.instructions, [](const Instruction& ins) { return ins.op == Opcode::St; });
    return store == program.instructions.end() ? Form {} : forms.of(store->src[1]);
}

std::string textOf(const RegisterForms& forms, const Form& form)
{
    std::string text;
    for (const auto& [product, factor] : form) {
        text += (text.empty() ? "" : " + ") + std::to_string(factor);
        for (const std::uint16_t number : product) {
            const Atom& atom = forms.atom(number);
            text += atom.kind == Atom::Kind::Parameter ? "*p" + std::to_string(atom.index)
                : atom.kind == Atom::Kind::Special     ? "*s" + std::to_string(atom.index)
                : atom.kind == Atom::Kind::Quotient    ? "*(" + textOf(forms, atom.of) + ")/" + std::to_string(atom.divisor)
                : atom.kind == Atom::Kind::Loop        ? "*[" + textOf(forms, atom.of) + " by " + textOf(forms, atom.step) + "]"
                                                       : "*?";
        }
    }
    return text;
}

std::string heldBy(const std::string& body)
{
    const Program program = programOf(body);
    RegisterForms forms(program);
    return textOf(forms, formOf(forms, program));
}

TEST(RegisterForms, areSumsOfProductsOfPlacesAndParameters)
{
    EXPECT_EQ(heldBy("mov.u32 b, %tid.x; mov.u32 c, %ctaid.x; mov.u32 d, %ntid.x; mad.lo.u32 a, c, d, b;"), "1*s0 + 1*s3*s6");
    EXPECT_EQ(heldBy("mov.u32 b, %tid.x; mul.lo.u32 c, b, size; add.u32 a, c, 7;"), "7 + 1*p8*s0");
    EXPECT_EQ(heldBy("sub.u32 a, other, size;"), "-1*p8 + 1*p12") << "loaded as one vector";
    EXPECT_EQ(heldBy("mov.u32 b, %tid.x; shl.b32 c, b, 5; or.b32 a, c, 3;"), "3 + 32*s0") << "no bit is in both";
}

TEST(RegisterForms, keepWhatIsRoundedAsAQuotient)
{
    EXPECT_EQ(heldBy("mov.u32 b, %tid.x; shr.u32 a, b, 5;"), "1*(1*s0)/32");
    EXPECT_EQ(heldBy("mov.u32 b, %tid.x; shl.b32 c, b, 6; shr.u32 a, c, 5;"), "2*s0") << "32 divides it";
    EXPECT_EQ(heldBy("mov.u32 b, %tid.x; shl.b32 c, b, 5; or.b32 d, c, 1; shr.u32 a, d, 5;"), "1*s0");
}

TEST(RegisterForms, tellWhereALoopBeginsAndHowItGoesOn)
{
    EXPECT_EQ(heldBy("mov.u32 a, %tid.x;\nL: add.u32 a, a, 128; setp.lt.u32 q, a, size; @q bra L;"), "1*[1*s0 by 128]");
    EXPECT_EQ(heldBy("mov.u32 a, %tid.x;\nM: add.u32 a, a, 512; setp.lt.u32 q, a, other; @q bra M;\nL: add.u32 a, a, 128; setp.lt.u32 q, a, size; @q bra L;"), "1*[1*s0 by 128]")
        << "unrolled by four, with a rest";
}

TEST(RegisterForms, areOpenWhereDataOrChoicesLead)
{
    EXPECT_EQ(heldBy("ld.global.u32 b, [x]; add.u32 a, b, 1;"), "1 + 1*?");
    EXPECT_EQ(heldBy("mov.u32 b, %tid.x; min.u32 a, b, size;"), "1*?");
    EXPECT_EQ(heldBy("mov.u32 a, %tid.x; setp.lt.u32 q, a, size; @q mov.u32 a, size;"), "1*?") << "set twice, and no loop";
}

} // namespace
} // namespace coalescope::analysis
