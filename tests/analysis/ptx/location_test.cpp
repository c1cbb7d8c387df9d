// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/location.h"

#include "ptx_text.h"

namespace coalescope::analysis {
namespace {

/// A kernel of k.cu, line 5 of which calls into h.h, which calls into g.h; then a called function.
Program inlined()
{
    auto program
        = parsePtx(".version 8.0\n.target sm_90\n.address_size 64\n"
                   ".func far()\n{\n.reg .b32 %r<4>;\n.loc 2 70 1\nmov.u32 %r1, 1;\nret;\n}\n"
                   ".visible .entry k()\n{\n.reg .b32 %r<4>;\n"
                   ".loc 1 4 1\nmov.u32 %r1, 0;\n"
                   ".loc 2 20 3, function_name $a, inlined_at 1 5 7\nmov.u32 %r1, 2;\n"
                   ".loc 3 30 9, function_name $b, inlined_at 2 20 3\nmov.u32 %r1, 3;\n"
                   ".loc 1 2 2, function_name $c, inlined_at 1 6 1\nmov.u32 %r1, 4;\n"
                   ".loc 1 8 1\ncall far, ();\nmov.u32 %r1, 5;\nret;\n}\n"
                   ".file 1 \"/some/where/k.cu\"\n.file 2 \"h.h\"\n.file 3 \"g.h\"\n");
    EXPECT_TRUE(program.has_value()) << program.error().detail;
    return program ? *std::move(program) : Program {};
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> linesOf(const Program& program)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> lines;
    for (const Instruction& ins : program.instructions) {
        if (ins.op == Opcode::Mov)
            lines.emplace_back(ins.line, ins.lineToName());
    }
    return lines;
}

TEST(PtxLocation, namesTheLineOfTheKernelsFileThatBroughtTheInstructionIn)
{
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> expected {
        { 4, 4 }, // its own
        { 5, 5 }, // inlined from a header
        { 5, 5 }, // and from one further
        { 2, 2 }, // inlined from a function of the same file
        { 70, 8 }, // called, in a header
        { 8, 8 },
    };
    const Program program = inlined();
    EXPECT_EQ(linesOf(program), expected);
    EXPECT_EQ(program.files, (std::vector<std::string> { "/some/where/k.cu", "h.h" }));
}

/// A kernel whose line 9 copies a structure that line 2 declares; the texts as both spellings refer to them.
std::string copying(const std::string& function)
{
    return ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<4>;\n"
           ".loc 1 8 1\nmov.u32 %r1, 0;\n.loc 1 9 1\n.loc 1 2 8, function_name "
        + function
        + ", inlined_at 1 9 1\nmov.u32 %r1, 2;\nret;\n}\n.file 1 \"k.cu\"\n.section .debug_str\n{\n$none:\n.b8 0\n"
          "$copy:\n.b8 95,90,78,49,83,67,49,69,82,75,83,95,0\n$assign:\n.b8 95,90,78,49,83,97,83,69,82,75,83,95,0\n"
          "$sum:\n.b8 95,90,78,49,83,112,76,69,82,75,83,95,0\n$open:\n.b8 95\n}\n";
}

TEST(PtxLocation, aCopyOfAStructureStandsWhereItIsCopied)
{
    const auto lineOf = [](const std::string& function) {
        const auto program = parsePtx(copying(function));
        EXPECT_TRUE(program.has_value()) << program.error().detail;
        return program ? linesOf(*program).at(1).first : 0;
    };
    EXPECT_EQ(lineOf("$copy"), 9u); // _ZN1SC1ERKS_: S::S(const S&)
    EXPECT_EQ(lineOf("$assign"), 9u); // _ZN1SaSERKS_: S::operator=(const S&)
    EXPECT_EQ(lineOf("$none+1"), 9u); // the same as $copy
    EXPECT_EQ(lineOf("$sum"), 2u); // operator+= is somebody's code
    for (const char* odd : { "$open", "$none", "$missing", "$copy+400", "$copy+-3" })
        EXPECT_EQ(lineOf(odd), 2u) << odd;
}

TEST(PtxLocation, knowsCopyingFunctionsByTheirMangledNames)
{
    using ptx::isCopyingFunction;
    for (const char* name : { "_ZN8ParticleC1ERKS_", "_ZN8ParticleC2EOS_", "_ZN2ns3VecIfLi4EEaSERKS1_", "_ZN5EightaSEOS_" })
        EXPECT_TRUE(isCopyingFunction(name)) << name;
    for (const char* name : { "", "_", "_Z1kPf", "_ZN8ParticleC1Ef", "_ZN8ParticleC1ERKf", "_ZN1SpLERKS_", "_ZNKC1ERKS_1fEv" })
        EXPECT_FALSE(isCopyingFunction(name)) << name;
}

TEST(PtxLocation, withoutAWordOnInliningCodeOfOtherFilesStandsAtTheKernelsLastLine)
{
    const auto program = parsePtx(".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<4>;\n"
                                  ".loc 1 4 1\nmov.u32 %r1, 0;\n.loc 2 20 3\nmov.u32 %r1, 2;\nret;\n}\n"
                                  ".file 1 \"k.cu\"\n.file 2 \"device.cuh\"\n");
    ASSERT_TRUE(program.has_value()) << program.error().detail;
    EXPECT_EQ(linesOf(*program).at(1), (std::pair<std::uint32_t, std::uint32_t> { 4, 4 }));
    EXPECT_EQ(program->files, std::vector<std::string> { "k.cu" });
}

TEST(PtxLocation, aRefusalNamesTheSourceLine)
{
    const auto program
        = parsePtx(".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"/some/where/k.cu\"\n"
                   ".visible .entry k()\n{\n.loc 1 12 1\nwgmma.fence.sync.aligned;\nret;\n}\n");
    ASSERT_FALSE(program.has_value());
    EXPECT_EQ(program.error().where, "k.cu:12, ptx:8:1");
}

} // namespace
} // namespace coalescope::analysis
