// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/atomic_forms.h"

#include "analysis/ptx/parse.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coalescope::analysis {
namespace {

/// What is marked on the only atomic of a kernel that has the thread's index in `t`, a number of its own in `v` and the parameter in `p`.
Modifiers marked(const std::string& body)
{
    auto program = parsePtx(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n.shared .align 4 .b8 s[64];\n"
                            ".reg .b32 t, v, r;\n.reg .b64 p, q, w, x;\n.reg .f32 f, g;\n.reg .pred c;\nld.param.u64 p, [a];\nmov.u32 t, %tid.x;\n"
                            "mul.lo.u32 v, t, 3;\nmul.wide.u32 w, t, 3;\ncvt.rn.f32.u32 f, t;\nmul.wide.u32 q, t, 4;\nadd.u64 q, p, q;\n"
        + body + "\nret;\n}\n");
    EXPECT_TRUE(program.has_value()) << program.error().detail << '\n' << body;
    if (!program)
        return {};
    markAtomics(*program);
    return std::ranges::find_if(program->instructions, [](const Instruction& ins) { return isAtomic(ins); })->mod;
}

const std::string kAsked = " st.global.u32 [q], r;", kAskedWide = " st.global.u64 [p+8], x;";

// Counted by an H200 as one sector, or one wavefront, where one lane does it, and as 32 where not.

TEST(AtomicForms, sumsOfOneWordAreOneLanes)
{
    EXPECT_TRUE(marked("red.global.add.u32 [p], v;").isOneLanes);
    EXPECT_TRUE(marked("red.global.add.u32 [p], 7;").isOneLanes);
    EXPECT_TRUE(marked("atom.global.add.u32 r, [p], v;" + kAsked).isOneLanes);
    EXPECT_TRUE(marked("red.shared.add.u32 [s], v;").isOneLanes);
    EXPECT_FALSE(marked("red.global.add.u32 [q], v;").isOneLanes) << "each lane has its word";
    EXPECT_FALSE(marked("red.global.add.f32 [p], f;").isOneLanes) << "no instruction adds up floats";
}

TEST(AtomicForms, wordsThatParametersTellAreTheLaunchs)
{
    EXPECT_TRUE(marked("atom.global.add.u32 r, [p+16], 1;" + kAsked).isOfLaunch);
    EXPECT_TRUE(marked("cvta.to.global.u64 x, p; atom.global.add.u32 r, [x+64], 1;" + kAsked).isOfLaunch);
    EXPECT_FALSE(marked("atom.global.add.u32 r, [q], 1;" + kAsked).isOfLaunch) << "a thread's own";
    EXPECT_FALSE(marked("mov.u32 v, %ctaid.x; mad.wide.u32 x, v, 4, p; atom.global.add.u32 r, [x], 1;" + kAsked).isOfLaunch) << "a block's own";
    EXPECT_FALSE(marked("ld.global.u64 x, [p]; atom.global.add.u32 r, [x], 1;" + kAsked).isOfLaunch) << "data tell which";
}

TEST(AtomicForms, sumsOf8BytesAreOneLanesWhereAllAddTheSame)
{
    EXPECT_TRUE(marked("red.global.add.u64 [p], 7;").isOneLanes);
    EXPECT_TRUE(marked("atom.global.add.u64 x, [p], 7;" + kAskedWide).isOneLanes);
    EXPECT_FALSE(marked("red.global.add.u64 [p], w;").isOneLanes);
}

TEST(AtomicForms, minimaAndBitsAreOneLanesWhereNobodyAsks)
{
    for (const std::string op : { "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32" }) {
        EXPECT_TRUE(marked("red.global." + op + " [p], v;").isOneLanes) << op;
        EXPECT_TRUE(marked("atom.global." + op + " r, [p], v;").isOneLanes) << op << ": the answer is not used";
        EXPECT_FALSE(marked("atom.global." + op + " r, [p], v;" + kAsked).isOneLanes) << op;
    }
    EXPECT_FALSE(marked("red.global.max.u64 [p], 9;").isOneLanes);
    EXPECT_FALSE(marked("red.global.or.b64 [p], 8;").isOneLanes);
}

TEST(AtomicForms, exchangesSwapsAndWrappingCountsAreNobodysButEachLanes)
{
    EXPECT_FALSE(marked("red.global.inc.u32 [p], 100;").isOneLanes);
    EXPECT_FALSE(marked("atom.global.exch.b32 r, [p], 3;").isOneLanes);
    EXPECT_FALSE(marked("atom.global.cas.b32 r, [p], 0, 1;").isOneLanes);
}

TEST(AtomicForms, whatNobodyAsksForIsAReductionButExchangesAndSwaps)
{
    EXPECT_TRUE(marked("red.global.add.u32 [q], v;").isReduction);
    EXPECT_TRUE(marked("atom.global.add.u32 r, [q], v;").isReduction);
    EXPECT_TRUE(marked("atom.global.add.f32 g, [q], f;").isReduction);
    EXPECT_FALSE(marked("atom.global.add.u32 r, [q], v;" + kAsked).isReduction);
    EXPECT_FALSE(marked("atom.global.exch.b32 r, [q], v;").isReduction);
    EXPECT_FALSE(marked("atom.global.cas.b32 r, [q], 0, v;").isReduction);
    EXPECT_FALSE(marked("atom.add.u32 r, [q], v;").isReduction) << "a generic address may be shared memory's";
}

TEST(AtomicForms, onesThatNobodyAsksForAreCounted)
{
    EXPECT_TRUE(marked("red.shared.add.u32 [s], 1;").countsUp);
    EXPECT_FALSE(marked("red.shared.add.u32 [s], 2;").countsUp);
    EXPECT_FALSE(marked("atom.shared.add.u32 r, [s], 1;" + kAsked).countsUp);
}

} // namespace
} // namespace coalescope::analysis
