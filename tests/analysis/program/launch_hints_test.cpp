// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/launch_hints.h"

#include "analysis/ptx/parse.h"

#include <gtest/gtest.h>

namespace coalescope::analysis {
namespace {

/// Of a kernel with a pointer and the integers n, m and k.
LaunchHints hintsOf(const std::string& body, const std::string& directives = "", const std::string& variables = "")
{
    const auto program = parsePtx(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry kernel(.param .u64 p, .param .u32 n, .param .u32 m, .param .u32 k)" + directives
        + "\n{\n" + variables
        + ".reg .b32 tx, ty, bx, by, nx, ny, gx, n0, m0, k0, a, b, c, d;\n.reg .b64 x, y, z;\n.reg .pred q;\n"
          "ld.param.u64 x, [p]; ld.param.u32 n0, [n]; ld.param.u32 m0, [m]; ld.param.u32 k0, [k];\n"
        + body + "\nE: ret;\n}\n");
    EXPECT_TRUE(program.has_value()) << program.error().detail << '\n' << body;
    return program ? launchHints(*program, [](std::uint32_t offset) { return offset == 8 ? "n" : offset == 12 ? "m" : offset == 16 ? "k" : ""; }) : LaunchHints {};
}

const std::string kX = "mov.u32 tx, %tid.x; mov.u32 bx, %ctaid.x; ";
const std::string kY = "mov.u32 ty, %tid.y; mov.u32 by, %ctaid.y; ";

TEST(LaunchHints, aThreadForEachElementHasAsManyBlocksAsTheGuardNeeds)
{
    const LaunchHints hints = hintsOf(kX + "mov.u32 nx, %ntid.x; mad.lo.u32 a, bx, nx, tx; setp.ge.s32 q, a, n0; @q bra E; mul.wide.s32 y, a, 4; add.s64 z, x, y; st.global.u32 [z], a;");
    EXPECT_EQ(hints.axes[0].limit, "n");
    EXPECT_EQ(hints.axes[0].perBlock, 1u);
    EXPECT_EQ(hints.axes[0].threadsAlong, 0);
    EXPECT_EQ(hints.axes[0].threads, 0u) << "any block will do";
    EXPECT_TRUE(hints.axes[0].hasBlocks);
    EXPECT_FALSE(hints.axes[1].hasBlocks);
}

TEST(LaunchHints, severalElementsAThreadAreSeveralOfTheLimit)
{
    const LaunchHints hints = hintsOf(kX + "mov.u32 nx, %ntid.x; mul.lo.u32 b, nx, 4; mad.lo.u32 a, bx, b, tx; sub.s32 c, n0, 1; setp.gt.s32 q, a, c; @q bra E; st.global.u32 [x], a;");
    EXPECT_EQ(hints.axes[0].limit, "n") << "a > n - 1";
    EXPECT_EQ(hints.axes[0].perBlock, 4u);
}

TEST(LaunchHints, aTileOfConstantsIsTheBlock)
{
    const LaunchHints hints = hintsOf(kX + kY
            + "mad.lo.u32 a, bx, 16, tx; mad.lo.u32 b, by, 16, ty; setp.ge.s32 q, a, m0; @q bra E; setp.ge.s32 q, b, n0; @q bra E; "
              "mad.lo.u32 c, ty, 17, tx; shl.b32 c, c, 2; mov.u32 d, tile; add.u32 d, d, c; st.shared.u32 [d], a;",
        "", ".shared .align 4 .b8 tile[1088];\n");
    EXPECT_EQ(hints.axes[0].threads, 16u);
    EXPECT_EQ(hints.axes[1].threads, 16u);
    EXPECT_EQ(hints.axes[0].limit, "m");
    EXPECT_EQ(hints.axes[1].limit, "n");
    EXPECT_EQ(hints.axes[1].perBlock, 16u);
}

TEST(LaunchHints, aSharedArrayHasRoomForItsThreads)
{
    const std::string store = "mov.u32 tx, %tid.x; shl.b32 a, tx, 2; mov.u32 b, part; add.u32 c, b, a; st.shared.u32 [c], tx;";
    EXPECT_EQ(hintsOf(store, "", ".shared .align 4 .b8 part[512];\n").axes[0].threads, 128u);
    EXPECT_EQ(hintsOf(store, "", ".shared .align 4 .b8 part[528];\n").axes[0].threads, 128u) << "with a border of four";
    EXPECT_EQ(hintsOf(store, "", ".shared .align 4 .b8 part[16384];\n").axes[0].threads, 1024u) << "more there cannot be";
}

TEST(LaunchHints, aLoopThatEachThreadOfABlockStridesTellsHowManyThereAre)
{
    const LaunchHints hints = hintsOf(kX + "mov.u32 a, tx;\nL: mad.lo.u32 b, bx, n0, a; mul.wide.s32 y, b, 4; add.s64 z, x, y; st.global.u32 [z], a; add.u32 a, a, 96; setp.lt.s32 q, a, n0; @q bra L;");
    EXPECT_EQ(hints.axes[0].threads, 96u);
    EXPECT_EQ(hints.axes[0].limit, "") << "how many rows there are, the code does not say";
    EXPECT_TRUE(hints.bounding.contains(8));
    EXPECT_FALSE(hints.bounding.contains(12));
}

TEST(LaunchHints, whatADirectiveSaysHolds)
{
    EXPECT_EQ(hintsOf("mov.u32 tx, %tid.x; st.global.u32 [x], tx;", " .maxntid 192").threads, 192u);
    const LaunchHints fixed = hintsOf("mov.u32 tx, %tid.x; st.global.u32 [x], tx;", " .reqntid 32, 4");
    EXPECT_EQ(fixed.axes[0].threads, 32u);
    EXPECT_EQ(fixed.axes[1].threads, 4u);
}

TEST(LaunchHints, withoutAGuardTheRowsOfWhatIsIndexedTellHowManyBlocksThereAre)
{
    // c[(by * 64 + ty) * m + bx * 128 + tx]
    const LaunchHints hints = hintsOf(kX + kY + "mad.lo.u32 a, by, 64, ty; mul.lo.u32 b, a, m0; mad.lo.u32 c, bx, 128, tx; add.u32 d, b, c; mul.wide.s32 y, d, 4; add.s64 z, x, y; st.global.u32 [z], a;");
    EXPECT_EQ(hints.axes[0].limit, "m");
    EXPECT_EQ(hints.axes[0].perBlock, 128u);
    EXPECT_EQ(hints.axes[1].limit, "");
    EXPECT_EQ(hints.axes[1].perBlock, 64u);
}

TEST(LaunchHints, areNotWhereDataLead)
{
    const LaunchHints hints = hintsOf(kX + "ld.global.u32 a, [x]; setp.ge.s32 q, bx, a; @q bra E; st.global.u32 [x], tx;");
    EXPECT_EQ(hints.axes[0].limit, "");
}

} // namespace
} // namespace coalescope::analysis
