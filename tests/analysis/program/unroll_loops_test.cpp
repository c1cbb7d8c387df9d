// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/unroll_loops.h"

#include "analysis/execute/block_trace.h"
#include "analysis/program/join_accesses.h"
#include "analysis/ptx/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

namespace coalescope::analysis {
namespace {

Program kernel(const std::string& body)
{
    auto program = parsePtx(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 q)\n{\n"
                            ".reg .b32 a, b, c, n, t, v;\n.reg .b64 w, x, y, z;\n.reg .pred p1, p2;\n.shared .align 16 .b8 s[4096];\n"
        + body + "\nret;\n}\n");
    EXPECT_TRUE(program.has_value()) << program.error().detail << '\n' << body;
    return program.value_or(Program {});
}

/// Counts from 0 by 2 up to 8: the four words behind each thread's sixteen bytes.
const std::string kLoop = "ld.param.u64 w, [p]; mov.u32 t, %tid.x; mul.wide.u32 x, t, 16; mov.u64 y, s; mov.u64 z, y; mov.u32 n, 0;\n"
                          "L: add.s64 w, z, x; ld.shared.b32 v, [w]; st.shared.b32 [w+2048], v; add.s64 z, z, 4; add.s32 n, n, 2;\n"
                          "setp.ne.s32 p1, n, 8; @p1 bra L; add.s32 v, n, v; st.shared.b32 [z], v;";

/// Where a warp of the first block accesses what, one access a line.
std::string accesses(const Program& program)
{
    Launch launch { .grid = {}, .block = { 32, 1, 1 } };
    launch.parameters.resize(program.parameterBytes);
    const auto trace = traceBlock(program, launch, Dim3 { 0, 0, 0 });
    EXPECT_TRUE(trace) << trace.error().detail;
    std::string text;
    for (const TraceStep& step : trace ? trace->warps[0] : std::vector<TraceStep> {})
        text += std::to_string(int(step.access.op)) + ' ' + std::to_string(step.access.address[0]) + ' ' + std::to_string(step.access.address[31]) + '\n';
    return text;
}

std::vector<std::uint32_t> turnsOf(const std::string& body)
{
    std::vector<std::uint32_t> turns;
    for (const CountedLoop& loop : countedLoops(kernel(body)))
        turns.push_back(loop.turns);
    return turns;
}

std::string loopWith(const std::string& first, const std::string& step, const std::string& test)
{
    return "mov.u32 n, " + first + "; ld.param.u32 c, [q];\nL: ld.shared.b32 v, [s]; " + step + " setp." + test + "; @p1 bra L;";
}

TEST(UnrollLoops, aLoopIsCountedThatGoesFromAConstantByAConstantToAConstant)
{
    EXPECT_EQ(turnsOf(kLoop), std::vector<std::uint32_t> { 4 });
    EXPECT_EQ(turnsOf(loopWith("10", "add.s32 n, n, -1;", "gt.s32 p1, n, 0")), std::vector<std::uint32_t> { 10 });
    EXPECT_EQ(turnsOf(loopWith("-3", "sub.s32 n, n, 1;", "ge.s32 p1, n, -5")), std::vector<std::uint32_t> { 3 });
    EXPECT_EQ(turnsOf(loopWith("0xfffffff0", "add.u32 n, n, 8;", "ne.u32 p1, n, 0")), std::vector<std::uint32_t> { 2 }) << "it wraps around";
}

TEST(UnrollLoops, aLoopWhoseEndIsNotKnownOrThatTurnsOnceOrTooOftenIsNone)
{
    for (const std::string& body : { loopWith("0", "add.s32 n, n, 1;", "lt.s32 p1, n, c"), loopWith("c", "add.s32 n, n, 1;", "lt.s32 p1, n, 8"),
             loopWith("0", "add.s32 n, n, c;", "lt.s32 p1, n, 8"), loopWith("0", "add.s32 n, n, 1;", "lt.s32 p1, n, 1"),
             loopWith("0", "add.s32 n, n, 1;", "lt.s32 p1, n, 1000"), loopWith("0", "add.s32 n, n, 1; add.s32 n, n, 1;", "lt.s32 p1, n, 8"),
             loopWith("0", "@p2 add.s32 n, n, 1;", "lt.s32 p1, n, 8"),
             std::string("mov.u32 n, 0;\nL: add.s32 n, n, 1; setp.lt.s32 p1, n, 8; @p1 bra L;") })
        EXPECT_EQ(turnsOf(body), std::vector<std::uint32_t> {}) << body;
}

TEST(UnrollLoops, whatIsUnrolledAccessesTheSame)
{
    const Program program = kernel(kLoop);
    const std::string before = accesses(program);
    ASSERT_EQ(std::ranges::count(before, '\n'), 4 * 2 + 1);
    const Program after = unrolled(program, countedLoops(program).front());
    EXPECT_TRUE(std::ranges::none_of(after.instructions, [](const Instruction& ins) { return ins.op == Opcode::Bra; }));
    EXPECT_EQ(accesses(after), before);
}

TEST(UnrollLoops, branchesAroundALoopLeadWhereTheyDid)
{
    // Threads above 15 leave the loop out; an outer loop turns twice.
    const Program program = kernel("mov.u32 t, %tid.x; mov.u32 a, 0;\nO: setp.gt.u32 p2, t, 15; @p2 bra E; mov.u32 n, 0;\n"
                                   "L: ld.shared.b32 v, [s]; add.s32 n, n, 1; setp.lt.s32 p1, n, 3; @p1 bra L;\n"
                                   "E: st.shared.b32 [s+8], a; add.s32 a, a, 1; setp.lt.s32 p1, a, 2; @p1 bra O;");
    const auto loops = countedLoops(program);
    ASSERT_EQ(loops.size(), 1u) << "the outer one has a branch inside of it";
    const std::string before = accesses(program);
    ASSERT_EQ(std::ranges::count(before, '\n'), 2 * (3 + 1));
    EXPECT_EQ(accesses(unrolled(program, loops.front())), before);
}

TEST(UnrollLoops, neighboursOfSeveralTurnsAreJoined)
{
    Program program = kernel("mov.u32 t, %tid.x; mul.wide.u32 x, t, 16; mov.u64 y, s; mov.u64 z, y; mov.u32 n, 0;\n"
                             "L: add.s64 w, z, x; ld.shared.b32 v, [w]; add.s32 a, a, v; add.s64 z, z, 4; add.s32 n, n, 1;\n"
                             "setp.ne.s32 p1, n, 8; @p1 bra L; st.shared.b32 [s], a;");
    program = unrolled(program, countedLoops(program).front());
    joinAccesses(program);
    const auto loads = std::ranges::count_if(program.instructions, [](const Instruction& ins) { return ins.op == Opcode::Ld && !ins.isJoined; });
    EXPECT_EQ(loads, 2) << "eight words, four at a time";
}

/// As many turns as a lane's number leaves when it is divided by 8, and one more.
const std::string kBounded = "ld.param.u64 w, [p]; mov.u32 t, %tid.x; and.b32 c, t, 7; add.s32 c, c, 1; mul.lo.s32 c, c, 4; mul.wide.u32 x, t, 64; mov.u64 y, s; add.s64 z, y, x; mov.u32 n, 0; mov.u32 b, 0;\n"
                             "L: ld.shared.b32 v, [z]; add.s32 b, b, v; add.s64 z, z, 4; add.s32 n, n, 4; setp.lt.s32 p1, n, c; @p1 bra L; st.shared.b32 [z], b; st.shared.b32 [y], n;";

struct Done {
    std::size_t loads = 0, lanes = 0; ///< of all turns
    std::string stores;
};

Done doneBy(const Program& program)
{
    Launch launch { .grid = {}, .block = { 32, 1, 1 } };
    launch.parameters.resize(program.parameterBytes);
    const auto trace = traceBlock(program, launch, Dim3 { 0, 0, 0 });
    EXPECT_TRUE(trace) << trace.error().detail;
    Done done;
    for (const TraceStep& step : trace ? trace->warps[0] : std::vector<TraceStep> {}) {
        if (step.access.op == MemoryOp::Load) {
            ++done.loads;
            done.lanes += std::size_t(std::popcount(step.access.active));
            continue;
        }
        for (const std::uint64_t address : step.access.address)
            done.stores += std::to_string(address) + ' ';
    }
    return done;
}

TEST(UnrollLoops, aBoundedLoopIsDoneInPartsOfFourTwoAndOne)
{
    const Program program = kernel(kBounded);
    const auto loops = boundedLoops(program);
    ASSERT_EQ(loops.size(), 1u);
    EXPECT_EQ(loops[0].step, 4);
    const Done before = doneBy(program), after = doneBy(cascaded(program, loops[0]));
    EXPECT_EQ(before.loads, 8u);
    EXPECT_EQ(after.loads, 2 * 4u + 2 + 1) << "those of 8 turns make two of the first part, others need the second, or the third";
    EXPECT_EQ(after.lanes, before.lanes) << "each lane makes its turns";
    EXPECT_EQ(after.stores, before.stores) << "and ends where it did";
}

TEST(UnrollLoops, aLoopIsBoundedByWhatItDoesNotChange)
{
    const auto count = [](const std::string& test, const std::string& step) { return boundedLoops(kernel(loopWith("0", step, test))).size(); };
    EXPECT_EQ(count("lt.s32 p1, n, c", "add.s32 n, n, 1;"), 1u);
    EXPECT_EQ(count("lt.s32 p1, n, 70", "add.s32 n, n, 3;"), 1u);
    EXPECT_EQ(count("lt.u32 p1, n, c", "add.s32 n, n, 1;"), 0u) << "what is left has no sign";
    EXPECT_EQ(count("lt.s32 p1, n, c", "add.s32 n, n, -1;"), 0u);
    EXPECT_EQ(count("lt.s32 p1, n, c", "add.s32 n, n, 1; add.s32 c, c, 2;"), 0u);
    EXPECT_EQ(count("ne.s32 p1, n, c", "add.s32 n, n, 1;"), 0u);
}

} // namespace
} // namespace coalescope::analysis
