// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/load_levels.h"

#include "analysis/ptx/parse.h"

#include <gtest/gtest.h>

namespace coalescope::analysis {
namespace {

/// The levels of the loads of global memory, in order.
std::vector<std::uint32_t> levelsOf(const std::string& body)
{
    const auto program = parsePtx(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
                                  ".reg .b32 a, b, c, n;\n.reg .b64 x, y, z;\n.reg .pred q;\n.shared .b32 s[32];\nld.param.u64 x, [p];\n"
        + body + "\nst.global.b32 [x+64], n; ret;\n}\n");
    EXPECT_TRUE(program.has_value()) << program.error().detail << '\n' << body;
    std::vector<std::uint32_t> levels;
    if (!program)
        return levels;
    const std::vector<std::uint32_t> all = loadLevels(*program);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (program->instructions[i].op == Opcode::Ld && program->instructions[i].mod.space == Space::Global)
            levels.push_back(all[i]);
    return levels;
}

using Levels = std::vector<std::uint32_t>;

TEST(LoadLevels, ofLoadsThatNeedNoOtherAreZero)
{
    EXPECT_EQ(levelsOf("ld.global.b32 a, [x]; ld.global.b32 b, [x+4]; add.s32 n, a, b;"), (Levels { 0, 0 }));
}

TEST(LoadLevels, countTheLoadsThatAnAddressWaitsFor)
{
    const std::string chase = "ld.global.b32 a, [x]; mul.wide.s32 y, a, 4; add.s64 z, x, y; ld.global.b32 b, [z]; mul.wide.s32 y, b, 4; add.s64 z, x, y; "
                              "ld.global.b32 c, [z]; ld.global.b32 n, [x+8];";
    EXPECT_EQ(levelsOf(chase), (Levels { 0, 1, 2, 0 }));
}

TEST(LoadLevels, passThroughSharedMemoryByAddressesOnlyAndThroughPredicates)
{
    EXPECT_EQ(levelsOf("ld.global.b32 a, [x]; setp.eq.s32 q, a, 0; @q ld.global.b32 b, [x+4];"), (Levels { 0, 1 }));
    EXPECT_EQ(levelsOf("ld.global.b32 a, [x]; st.shared.b32 [s], a; ld.shared.b32 b, [s]; mul.wide.s32 y, b, 4; add.s64 z, x, y; ld.global.b32 n, [z];"),
        (Levels { 0, 0 }));
}

TEST(LoadLevels, beginAnewInEachBasicBlock)
{
    EXPECT_EQ(levelsOf("ld.global.b32 a, [x]; mul.wide.s32 y, a, 4; add.s64 z, x, y; bra L; L: ld.global.b32 b, [z];"), (Levels { 0, 0 }));
}

} // namespace
} // namespace coalescope::analysis
