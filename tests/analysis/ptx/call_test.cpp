// SPDX-License-Identifier: Apache-2.0
#include "ptx_text.h"

#include <algorithm>

namespace coalescope::analysis {
namespace {

constexpr const char* kTwice = ".func (.param .b32 result) twice(.param .b32 x)\n"
                               "{ .reg .b32 %r<3>; ld.param.u32 %r1, [x]; add.u32 %r2, %r1, %r1; "
                               "st.param.b32 [result+0], %r2; ret; }\n";

std::string callOf(const std::string& function)
{
    return "{ .param .b32 a; st.param.b32 [a+0], %r1; .param .b32 r; call.uni (r), " + function
        + ", (a); ld.param.b32 %r2, [r+0]; }\n";
}

long count(const Program& p, Opcode op)
{
    return std::ranges::count(p.instructions, op, &Instruction::op);
}

TEST(PtxCall, passesScalarsInRegisters)
{
    const Program p = parsed(kernelWith(callOf("twice"), kTwice));
    ASSERT_EQ(p.instructions.size(), 6u); // move in, move, add, move out, move, exit
    EXPECT_EQ(count(p, Opcode::Mov), 4);
    EXPECT_EQ(p.instructions[2].op, Opcode::Add);
    EXPECT_EQ(p.instructions[0].dst[0].index, p.instructions[1].src[0].index);
    EXPECT_EQ(p.localBytes, 0u);
}

TEST(PtxCall, eachExpansionHasItsOwnRegisters)
{
    const Program p = parsed(kernelWith(callOf("twice") + callOf("twice"), kTwice));
    EXPECT_NE(p.instructions[2].dst[0].index, p.instructions[7].dst[0].index);
}

TEST(PtxCall, nestedCallsAreExpanded)
{
    const std::string four = ".func (.param .b32 result) four(.param .b32 x) { .reg .b32 %r<3>; "
                             "ld.param.u32 %r1, [x];\n"
        + callOf("twice") + callOf("twice") + "st.param.b32 [result+0], %r2; ret; }\n";
    EXPECT_EQ(count(parsed(kernelWith(callOf("four"), kTwice + four)), Opcode::Add), 2);
}

TEST(PtxCall, recursionIsRefused)
{
    const std::string endless
        = ".func (.param .b32 result) endless(.param .b32 x) { .reg .b32 %r<3>;\n"
        + callOf("endless") + "ret; }\n";
    EXPECT_EQ(
        refused(kernelWith(callOf("endless"), endless)).code, ErrorCode::UnsupportedInstruction);
}

TEST(PtxCall, earlyReturnsJumpBehindTheExpansion)
{
    const std::string function = ".func f(.param .b32 x) { .reg .pred %p; .reg .b32 %r; "
                                 "ld.param.u32 %r, [x]; setp.eq.s32 %p, %r, 0;"
                                 "@%p ret; trap; ret; }\n";
    const Program p = parsed(
        kernelWith("{ .param .b32 a; st.param.b32 [a+0], %r1; call f, (a); }\nadd.s32 %r1, %r1, 1;",
            function));
    const auto branch = std::ranges::find(p.instructions, Opcode::Bra, &Instruction::op);
    ASSERT_NE(branch, p.instructions.end());
    EXPECT_EQ(p.instructions.at(branch->target).op, Opcode::Add);
    EXPECT_EQ(count(p, Opcode::Exit), 1);
}

TEST(PtxCall, guardedCallIsBranchedAround)
{
    const Program p = parsed(kernelWith("{ .param .b32 a; st.param.b32 [a+0], %r1; .param .b32 "
                                        "r;\n@%p1 call (r), twice, (a); }\nret;",
        kTwice));
    const auto branch = std::ranges::find(p.instructions, Opcode::Bra, &Instruction::op);
    ASSERT_NE(branch, p.instructions.end());
    EXPECT_TRUE(branch->guardNegated);
    EXPECT_EQ(p.instructions.at(branch->target).op, Opcode::Exit);
}

TEST(PtxCall, parameterWhoseAddressIsTakenLiesInLocalMemory)
{
    const std::string function
        = ".func (.param .b32 result) f(.param .align 4 .b8 s[16])\n{ .reg .b64 %rd<2>; .reg .b32 "
          "%r;"
          "mov.b64 %rd1, s; ld.param.u32 %r, [%rd1+8]; st.param.b32 [result], %r; ret; }\n";
    const Program p = parsed(
        kernelWith("{ .param .align 4 .b8 a[16]; st.param.v2.b32 [a+8], {%r1, %r2}; .param .b32 r;"
                   "call (r), f, (a); ld.param.b32 %r3, [r]; }",
            function));
    EXPECT_EQ(p.localBytes, 16u);
    EXPECT_EQ(p.mnemonic(0), "st.local.b32");
    EXPECT_EQ(p.instructions[1].offset, 12);
    EXPECT_EQ(count(p, Opcode::Ld), 1);
    EXPECT_EQ(
        std::ranges::find(p.instructions, Opcode::Ld, &Instruction::op)->mod.space, Space::Local);
}

TEST(PtxCall, piecesOfAnotherSizeGoThroughLocalMemory)
{
    const std::string function = ".func f(.param .align 8 .b8 s[8])\n{ .reg .b64 %rd; ld.param.u64 "
                                 "%rd, [s]; st.global.u64 [%rd], %rd; ret; }\n";
    const Program p = parsed(kernelWith("{ .param .align 8 .b8 a[8]; st.param.b32 [a], %r1; "
                                        "st.param.b32 [a+4], %r2; call f, (a); }",
        function));
    EXPECT_EQ(p.localBytes, 8u);
    EXPECT_EQ(p.mnemonic(2), "ld.local.u64");
}

TEST(PtxCall, narrowParametersAreExtendedAsTheirLoadSays)
{
    const std::string function = ".func f(.param .b8 c) { .reg .b32 %r; ld.param.s8 %r, [c]; "
                                 "st.global.u32 [0], %r; ret; }\n";
    const Program p
        = parsed(kernelWith("{ .param .b8 a; st.param.b8 [a], %r1; call f, (a); }", function));
    EXPECT_EQ(p.mnemonic(0), "cvt.u32.u8");
    EXPECT_EQ(p.mnemonic(1), "cvt.s32.s8");
}

TEST(PtxCall, registersMayBePassedDirectly)
{
    const std::string function = ".func (.reg .b32 y) f(.reg .b32 x) { add.u32 y, x, 1; ret; }\n";
    const Program p = parsed(kernelWith("call (%r2), f, (%r1); call (%r4), f, (5);", function));
    EXPECT_EQ(count(p, Opcode::Add), 2);
    const Program q = parsed(kernelWith("call (%r2), twice, (%r1);", kTwice));
    EXPECT_EQ(count(q, Opcode::Add), 1);
}

TEST(PtxCall, printfIsNothingAndAssertIsATrap)
{
    const std::string externals
        = ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
          ".extern .func __assertfail(.param .b64 a, .param .b64 b);\n";
    const Program p = parsed(
        kernelWith("{ .param .b64 a; st.param.b64 [a], %rd1; .param .b64 b; st.param.b64 [b], "
                   "%rd1; .param .b32 r;"
                   "call.uni (r), vprintf, (a, b); ld.param.b32 %r1, [r]; }\n"
                   "{ .param .b64 c; st.param.b64 [c], %rd1; call.uni __assertfail, (c, c); }",
            externals));
    ASSERT_EQ(p.instructions.size(), 4u);
    EXPECT_EQ(p.instructions[0].op, Opcode::Mov);
    EXPECT_EQ(p.instructions[0].src[0].bits, 0u);
    EXPECT_EQ(p.instructions[2].op, Opcode::Trap);
}

TEST(PtxCall, otherExternalFunctionsAreRefused)
{
    const Error error
        = refused(kernelWith("{ .param .b64 a; .param .b64 r; call.uni (r), malloc, (a); }",
            ".extern .func (.param .b64 r) malloc(.param .b64 a);\n"));
    EXPECT_EQ(error.code, ErrorCode::UnsupportedInstruction);
    EXPECT_NE(error.detail.find("malloc"), std::string::npos);
}

} // namespace
} // namespace coalescope::analysis
