// SPDX-License-Identifier: Apache-2.0
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
        { 20, 5 }, // inlined from a header
        { 30, 5 }, // and from one further
        { 2, 2 }, // inlined from a function of the same file
        { 70, 8 }, // called, in a header
        { 8, 8 },
    };
    EXPECT_EQ(linesOf(inlined()), expected);
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
