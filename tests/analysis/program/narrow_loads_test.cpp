// SPDX-License-Identifier: Apache-2.0
// What ptxas 13.0 loads for sm_90 of what a kernel uses in part, read from its machine code.
#include "analysis/program/narrow_loads.h"

#include "analysis/program/join_accesses.h"
#include "analysis/ptx/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace coalescope::analysis {
namespace {

/// "4+0 4+8": bytes and offsets of the loads that are made.
std::string loadsOf(const std::string& body)
{
    const std::string text = ".version 8.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>; .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>; .reg .f64 %fd<9>;\n"
                             "ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1;\n"
        + body + "\nret;\n}\n";
    auto program = parsePtx(text, "k");
    EXPECT_TRUE(program) << program.error().detail << text;
    if (!program)
        return {};
    narrowLoads(*program);
    joinAccesses(*program);
    std::string loads;
    for (const Instruction& ins : program->instructions)
        if (ins.op == Opcode::Ld && ins.mod.space != Space::Param && !ins.isJoined)
            loads += (loads.empty() ? "" : " ") + std::to_string(ins.joinedBytes != 0 ? ins.joinedBytes : bytesOf(ins.type) * ins.vector) + "+" + std::to_string(ins.offset + ins.joinedOffset);
    return loads;
}

/// `count` elements of a type, of which those of the mask are used.
std::string ofVector(const std::string& load, const std::string& reg, const std::string& sum, int count, unsigned used)
{
    std::string body = "ld.global.nc." + load + " {", uses;
    for (int i = 0; i < count; ++i) {
        const std::string name = reg + std::to_string(i + 1);
        body += (i ? ", " : "") + name;
        if (used >> i & 1)
            uses += sum + " " + reg + "6, " + reg + "6, " + name + ";\n";
    }
    return loadsOf(body + "}, [%rd2];\n" + uses);
}

TEST(NarrowLoads, ofFourWordsAnAlignedPairThreeOrEachByItself)
{
    static constexpr std::array<const char*, 16> kLoads { "", "4+0", "4+4", "8+0", "4+8", "4+0 4+8", "4+4 4+8", "16+0", "4+12", "4+0 4+12", "4+4 4+12", "16+0", "8+8", "16+0", "16+0", "16+0" };
    for (unsigned used = 1; used < 16; ++used)
        EXPECT_EQ(ofVector("v4.f32", "%f", "add.f32", 4, used), kLoads[used]) << used;
}

TEST(NarrowLoads, ofFourHalvesAnAlignedPairAllOrOne)
{
    static constexpr std::array<const char*, 16> kLoads { "", "2+0", "2+2", "4+0", "2+4", "8+0", "8+0", "8+0", "2+6", "8+0", "8+0", "8+0", "4+4", "8+0", "8+0", "8+0" };
    for (unsigned used = 1; used < 16; ++used)
        EXPECT_EQ(ofVector("v4.u16", "%rs", "add.s16", 4, used), kLoads[used]) << used;
}

TEST(NarrowLoads, ofTwoElementsTheOne)
{
    for (const auto& [used, loads] : { std::pair(1u, "8+0"), std::pair(2u, "8+8"), std::pair(3u, "16+0") })
        EXPECT_EQ(ofVector("v2.f64", "%fd", "add.f64", 2, used), loads);
    for (const auto& [used, loads] : { std::pair(1u, "4+0"), std::pair(2u, "4+4"), std::pair(3u, "8+0") })
        EXPECT_EQ(ofVector("v2.f32", "%f", "add.f32", 2, used), loads);
}

TEST(NarrowLoads, of64BitsTheHalfThatIsUsed)
{
    const std::string load = "ld.global.nc.u64 %rd3, [%rd2];\n";
    EXPECT_EQ(loadsOf(load + "cvt.u32.u64 %r1, %rd3;"), "4+0");
    EXPECT_EQ(loadsOf(load + "cvt.s64.s32 %rd4, %rd3;"), "4+0");
    EXPECT_EQ(loadsOf(load + "st.global.u32 [%rd2], %rd3;"), "4+0");
    EXPECT_EQ(loadsOf(load + "shl.b64 %rd4, %rd3, 32;"), "4+0");
    EXPECT_EQ(loadsOf(load + "and.b64 %rd4, %rd3, 255;"), "4+0");
    EXPECT_EQ(loadsOf(load + "shr.u64 %rd4, %rd3, 32;"), "4+4");
    EXPECT_EQ(loadsOf(load + "setp.lt.s64 %p1, %rd3, 0;"), "4+4");
    EXPECT_EQ(loadsOf(load + "cvt.u16.u64 %rs1, %rd3;"), "2+0");
    EXPECT_EQ(loadsOf(load + "st.global.u8 [%rd2], %rd3;"), "2+0");
    EXPECT_EQ(loadsOf(load + "cvt.u16.u64 %rs1, %rd3; cvt.u32.u64 %r1, %rd3;"), "4+0");
    EXPECT_EQ(loadsOf(load + "cvt.u32.u64 %r1, %rd3; shr.u64 %rd4, %rd3, 40;"), "8+0");
    EXPECT_EQ(loadsOf(load + "add.s64 %rd4, %rd3, 1;"), "8+0");
    EXPECT_EQ(loadsOf(load + "shr.u64 %rd4, %rd3, 16;"), "8+0");
    EXPECT_EQ(loadsOf(load + "st.global.u32 [%rd3], 0;"), "8+0") << "an address";
    EXPECT_EQ(loadsOf("ld.global.nc.v2.u64 {%rd3, %rd4}, [%rd2]; cvt.u32.u64 %r1, %rd4;"), "4+8");
    EXPECT_EQ(loadsOf("ld.global.nc.v2.u64 {%rd3, %rd4}, [%rd2]; cvt.u32.u64 %r1, %rd4; cvt.u32.u64 %r2, %rd3;"), "16+0");
    EXPECT_EQ(loadsOf("ld.global.nc.f64 %fd1, [%rd2]; mov.b64 {%r1, %r2}, %fd1; add.s32 %r3, %r2, 1;"), "4+4");
}

TEST(NarrowLoads, ofAWordTheHalfThatIsTakenOutOfItButNoByte)
{
    const std::string load = "ld.global.nc.u32 %r1, [%rd2];\n";
    EXPECT_EQ(loadsOf(load + "mov.b32 {%rs1, %rs2}, %r1; add.s16 %rs3, %rs1, 1;"), "2+0");
    EXPECT_EQ(loadsOf(load + "mov.b32 {%rs1, %rs2}, %r1; add.s16 %rs3, %rs2, 1;"), "2+2");
    EXPECT_EQ(loadsOf(load + "mov.b32 {%rs1, %rs2}, %r1; add.s16 %rs3, %rs2, %rs1;"), "4+0");
    EXPECT_EQ(loadsOf(load + "cvt.u16.u32 %rs1, %r1;"), "4+0");
    EXPECT_EQ(loadsOf(load + "shr.u32 %r2, %r1, 16;"), "4+0");
}

TEST(NarrowLoads, whatIsOrderedStaysAndBranchesLeadWhereTheyLed)
{
    EXPECT_EQ(loadsOf("ld.volatile.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd2]; add.f32 %f5, %f1, 1.0;"), "16+0");
    const std::string text = ".version 8.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;\nld.param.u64 %rd1, [p];\n"
                             "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];\nadd.f32 %f5, %f2, %f3;\nsetp.gt.f32 %p1, %f5, 0.0;\n@%p1 bra $L;\nst.global.f32 [%rd1], %f5;\n$L:\nst.global.f32 [%rd1+4], %f5;\nret;\n}\n";
    auto program = parsePtx(text, "k");
    ASSERT_TRUE(program) << program.error().detail;
    narrowLoads(*program);
    const auto branch = std::ranges::find(program->instructions, Opcode::Bra, &Instruction::op);
    ASSERT_NE(branch, program->instructions.end());
    EXPECT_EQ(program->instructions.at(branch->target).op, Opcode::St);
    EXPECT_EQ(program->instructions.at(branch->target).offset, 4);
    EXPECT_EQ(branch->reconverge, branch->target);
}

} // namespace
} // namespace coalescope::analysis
