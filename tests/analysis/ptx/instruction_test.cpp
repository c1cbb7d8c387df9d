// SPDX-License-Identifier: Apache-2.0
#include "ptx_text.h"

#include "analysis/ptx/opcode_table.h"

#include <set>

namespace coalescope::analysis {
namespace {

struct Spelling {
    const char* text;
    const char* mnemonic;
};

class PtxInstruction : public testing::TestWithParam<Spelling> { };

TEST_P(PtxInstruction, isUnderstood)
{
    const Program p = parsed(kernelWith(GetParam().text));
    ASSERT_FALSE(p.instructions.empty());
    EXPECT_EQ(p.mnemonic(0), GetParam().mnemonic);
}

INSTANTIATE_TEST_SUITE_P(Arithmetic, PtxInstruction,
    testing::Values(Spelling { "add.sat.s32 %r1, %r2, -5;", "add.sat.s32" },
        Spelling { "add.cc.u32 %r1, %r2, %r3;", "add.cc.u32" },
        Spelling { "addc.cc.u64 %rd1, %rd2, 1;", "addc.cc.u64" },
        Spelling { "subc.u32 %r1, %r2, %r3;", "subc.u32" },
        Spelling { "mul.wide.u16 %r1, %h1, 3;", "mul.wide.u16" },
        Spelling { "mul.hi.s64 %rd1, %rd2, %rd3;", "mul.hi.s64" },
        Spelling { "mad.wide.s32 %rd1, %r1, 4, %rd2;", "mad.wide.s32" },
        Spelling { "mad.lo.cc.u32 %r1, %r2, %r3, %r4;", "mad.lo.cc.u32" },
        Spelling { "madc.hi.u32 %r1, %r2, %r3, 0;", "madc.hi.u32" },
        Spelling { "fma.rn.ftz.sat.f32 %f1, %f2, %f3, 0f00000000;", "fma.rn.ftz.sat.f32" },
        Spelling { "mad.rn.f32 %f1, %f2, %f3, %f4;", "fma.rn.f32" },
        Spelling { "fma.rn.bf16x2 %r1, %r2, %r3, %r4;", "fma.rn.bf16x2" },
        Spelling { "div.full.f32 %f1, %f2, %f3;", "div.approx.f32" },
        Spelling { "div.rn.f64 %fd1, %fd2, 0d4008000000000000;", "div.rn.f64" },
        Spelling { "rcp.approx.ftz.f64 %fd1, %fd2;", "rcp.approx.ftz.f64" },
        Spelling { "min.NaN.f16 %h1, %h2, %h3;", "min.NaN.f16" },
        Spelling { "tanh.approx.f16x2 %r1, %r2;", "tanh.approx.f16x2" },
        Spelling { "testp.subnormal.f64 %p1, %fd1;", "testp.subnormal.f64" },
        Spelling { "popc.b64 %r1, %rd1;", "popc.b64" },
        Spelling { "bfind.shiftamt.u32 %r1, %r2;", "bfind.shiftamt.u32" },
        Spelling { "dp2a.hi.s32.u32 %r1, %r2, %r3, %r4;", "dp2a.hi.s32.u32" },
        Spelling { "szext.wrap.s32 %r1, %r2, %r3;", "szext.wrap.s32" },
        Spelling { "bmsk.clamp.b32 %r1, %r2, %r3;", "bmsk.clamp.b32" },
        Spelling { "fns.b32 %r1, %r2, 0, 1;", "fns.b32" }),
    [](const auto& row) { return std::to_string(row.index); });

INSTANTIATE_TEST_SUITE_P(LogicAndMovement, PtxInstruction,
    testing::Values(Spelling { "setp.lt.and.f32 %p1|%p2, %f1, %f2, !%p3;", "setp.lt.and.f32" },
        Spelling { "set.eq.f16x2.f16x2 %r1, %r2, %r3;", "set.eq.f16x2.f16x2" },
        Spelling { "slct.f32.s32 %f1, %f2, %f3, %r1;", "slct.f32.s32" },
        Spelling { "xor.pred %p1, %p2, %p3;", "xor.pred" },
        Spelling { "lop3.b32 %r1, %r2, %r3, %r4, 0x96;", "lop3.b32" },
        Spelling { "shf.r.wrap.b32 %r1, %r2, %r3, 7;", "shf.r.wrap.b32" },
        Spelling { "shr.s64 %rd1, %rd2, %r1;", "shr.s64" },
        Spelling { "prmt.b32.f4e %r1, %r2, %r3, 2;", "prmt.b32.f4e" },
        Spelling { "cvt.rzi.ftz.sat.u8.f32 %r1, %f1;", "cvt.rzi.ftz.sat.u8.f32" },
        Spelling { "cvt.rn.bf16x2.f32 %r1, %f1, %f2;", "cvt.rn.bf16x2.f32" },
        Spelling { "cvta.to.shared.u64 %rd1, %rd2;", "cvta.to.shared.u64" },
        Spelling { "isspacep.shared %p1, %rd1;", "isspacep.shared" },
        Spelling { "shfl.sync.idx.b32 %r1|%p1, %r2, 3, 31, -1;", "shfl.sync.idx.b32" },
        Spelling { "mov.b64 %rd1, {%r1, %r2};", "mov.b64" },
        Spelling { "mov.b32 {%h1, _}, %r1;", "mov.b32" },
        Spelling { "mov.pred %p1, 1;", "mov.pred" }),
    [](const auto& row) { return std::to_string(row.index); });

INSTANTIATE_TEST_SUITE_P(Memory, PtxInstruction,
    testing::Values(
        Spelling { "ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+16];",
            "ld.global.v4.u32" },
        Spelling { "ld.relaxed.gpu.global.u32 %r1, [%rd1];", "ld.global.u32" },
        Spelling { "ld.volatile.f64 %fd1, [%rd1+-8];", "ld.f64" },
        Spelling { "ld.global.L2::cache_hint.u32 %r1, [%rd1], %rd2;", "ld.global.u32" },
        Spelling { "ldu.global.f32 %f1, [%rd1];", "ld.global.f32" },
        Spelling { "ld.shared::cta.s8 %r1, [%r2];", "ld.shared.s8" },
        Spelling { "st.global.cs.v2.f64 [%rd1], {%fd1, 0d0000000000000000};", "st.global.v2.f64" },
        Spelling { "st.release.sys.shared.b8 [%rd1], %r1;", "st.shared.b8" },
        Spelling { "atom.acq_rel.cta.shared.cas.b32 %r1, [%rd1], 1, 2;", "atom.shared.cas.b32" },
        Spelling { "atom.global.add.noftz.f16x2 %r1, [%rd1], %r2;", "atom.global.add.f16x2" },
        Spelling { "red.relaxed.gpu.global.max.s64 [%rd1], %rd2;", "red.global.max.s64" },
        Spelling { "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r1, %r2}, [%rd1];",
            "ldmatrix.x2.trans.shared.b16" },
        Spelling { "cp.async.ca.shared.global.L2::128B [%rd1], [%rd2+4], 8, %r1;", "cp.async" },
        Spelling { "cp.async.wait_group 2;", "cp.async.wait_group" },
        Spelling { "cp.async.commit_group;", "cp.async.commit_group" },
        Spelling { "prefetch.global.L2 [%rd1];", "prefetch.global" },
        Spelling { "applypriority.global.L2::evict_normal [%rd1], 128;", "prefetch.global" }),
    [](const auto& row) { return std::to_string(row.index); });

INSTANTIATE_TEST_SUITE_P(Control, PtxInstruction,
    testing::Values(Spelling { "bar.sync 0;", "bar.sync" },
        Spelling { "barrier.cta.sync.aligned 1, 64;", "bar.sync" },
        Spelling { "bar.arrive 1, 64;", "bar.arrive" },
        Spelling { "bar.red.popc.u32 %r1, 0, !%p1;", "bar.red.popc" },
        Spelling { "barrier.red.or.pred %p1, 0, 32, %p2;", "bar.red.or" },
        Spelling { "bar.warp.sync -1;", "bar.warp.sync" }, Spelling { "membar.gl;", "membar" },
        Spelling { "fence.acq_rel.gpu;", "membar" },
        Spelling { "vote.sync.ballot.b32 %r1, %p1, -1;", "vote.sync.ballot.b32" },
        Spelling { "match.all.sync.b64 %r1|%p1, %rd1, -1;", "match.all.sync.b64" },
        Spelling { "redux.sync.min.u32 %r1, %r2, -1;", "redux.sync.min.u32" },
        Spelling { "activemask.b32 %r1;", "activemask.b32" },
        Spelling { "elect.sync _|%p1, -1;", "elect.sync" }, Spelling { "@!%p1 exit;", "exit" },
        Spelling { "nanosleep.u32 100;", "nanosleep.u32" }, Spelling { "trap;", "trap" },
        Spelling { "brkpt;", "brkpt" }),
    [](const auto& row) { return std::to_string(row.index); });

TEST(PtxOperands, immediatesTakeTheirOperandsType)
{
    const Program p = parsed(kernelWith(
        "add.s32 %r1, %r1, -1; add.s16 %h1, %h1, -1; add.s64 %rd1, %rd1, -1; mov.f32 %f1, 1.5;"
        "mov.f64 %fd1, 0f3F800000; mov.b32 %r1, 0f3F800000; and.b32 %r1, %r1, 0b101; and.b32 %r1, "
        "%r1, 017;"
        "and.b64 %rd1, %rd1, 0xFFFFFFFFFFFFFFFFU; shl.b64 %rd1, %rd1, 3; mov.u32 %r2, WARP_SZ; "
        "add.f32 %f1, %f2, -1.0;"
        "mov.f32 %f1, 0fBF800000; mov.u32 %r1, ~0; mov.f64 %fd2, 1e-3;"));
    const auto bits
        = [&](std::size_t i, std::size_t operand) { return p.instructions[i].src[operand].bits; };
    EXPECT_EQ(bits(0, 1), 0xffff'ffffu);
    EXPECT_EQ(bits(1, 1), 0xffffu);
    EXPECT_EQ(bits(2, 1), ~0ull);
    EXPECT_EQ(bits(3, 0), 0x3fc0'0000u);
    EXPECT_EQ(bits(4, 0), 0x3ff0'0000'0000'0000ull);
    EXPECT_EQ(bits(5, 0), 0x3f80'0000u);
    EXPECT_EQ(bits(6, 1), 5u);
    EXPECT_EQ(bits(7, 1), 15u);
    EXPECT_EQ(bits(8, 1), ~0ull);
    EXPECT_EQ(bits(9, 1), 3u);
    EXPECT_EQ(bits(10, 0), 32u);
    EXPECT_EQ(bits(11, 1), 0xbf80'0000u);
    EXPECT_EQ(bits(12, 0), 0xbf80'0000u);
    EXPECT_EQ(bits(13, 0), 0xffff'ffffu);
    EXPECT_EQ(bits(14, 0), 0x3f50'624d'd2f1'a9fcull);
}

TEST(PtxOperands, memoryOperandsKeepTheirOffset)
{
    const Program p = parsed(kernelWith(
        "ld.global.u32 %r1, [%rd1+-4]; ld.global.u32 %r1, [%rd1-8]; ld.param.u32 %r1, [p1];"
        "ld.param.u64 %rd1, [p0+0]; ld.shared.u32 %r1, [64]; cp.async.cg.shared.global [%rd1+16], "
        "[%rd2+32], 16;"));
    EXPECT_EQ(p.instructions[0].offset, -4);
    EXPECT_EQ(p.instructions[1].offset, -8);
    EXPECT_EQ(p.instructions[2].src[0].bits, 8u);
    EXPECT_EQ(p.instructions[2].src[0].kind, OperandKind::Immediate);
    EXPECT_EQ(p.instructions[4].src[0].bits, 64u);
    EXPECT_EQ(p.instructions[5].offset, 16);
    EXPECT_EQ(p.instructions[5].sourceOffset, 32);
    EXPECT_EQ(p.instructions[5].src[2].bits, 16u);
    EXPECT_EQ(p.instructions[5].src[3].kind, OperandKind::None);
}

TEST(PtxOperands, setpFillsBothPredicatesAndTheCombinedOne)
{
    const Instruction ins
        = parsed(kernelWith("setp.lt.or.s32 %p1|%p2, %r1, 7, !%p3;")).instructions[0];
    EXPECT_EQ(ins.dst[0].kind, OperandKind::Register);
    EXPECT_EQ(ins.dst[1].kind, OperandKind::Register);
    EXPECT_EQ(ins.mod.combine, BoolOp::Or);
    EXPECT_TRUE(ins.src[2].negated);
}

TEST(PtxOperands, specialRegistersAreReadThroughAMove)
{
    const Program p = parsed(
        kernelWith("add.u32 %r1, %tid.x, 1; mov.u32 %r2, %ctaid.y; mov.u64 %rd1, %clock64;"));
    EXPECT_EQ(p.instructions[0].op, Opcode::Mov);
    EXPECT_EQ(p.instructions[0].src[0].kind, OperandKind::Special);
    EXPECT_EQ(p.instructions[1].src[0].index, p.instructions[0].dst[0].index);
    EXPECT_EQ(p.instructions[2].src[0].index, static_cast<std::uint32_t>(SpecialRegister::CtaidY));
    EXPECT_EQ(p.instructions[3].src[0].index, static_cast<std::uint32_t>(SpecialRegister::Clock64));
}

TEST(PtxOperands, scopesHaveTheirOwnRegistersAndLabels)
{
    const Program p
        = parsed(kernelWith("{ .reg .b32 x; L: mov.u32 x, 1; @%p1 bra L; @%p1 bra OUT; }\n"
                            "{ .reg .b32 x; L: mov.u32 x, 2; @%p1 bra L; }\nOUT:"));
    EXPECT_NE(p.instructions[0].dst[0].index, p.instructions[3].dst[0].index);
    EXPECT_EQ(p.instructions[1].target, 0u);
    EXPECT_EQ(p.instructions[2].target, 5u);
    EXPECT_EQ(p.instructions[4].target, 3u);
}

TEST(PtxOperands, jumpTablesNameTheirTargets)
{
    const Program p = parsed(kernelWith("T: .branchtargets A, B, A;\nbrx.idx %r1, T;\nA: add.s32 "
                                        "%r1, %r1, 1;\nB: add.s32 %r1, %r1, 2;"));
    ASSERT_EQ(p.branchTables.size(), 1u);
    EXPECT_EQ(p.branchTables[p.instructions[0].target], (std::vector<std::uint32_t> { 1, 2, 1 }));
    EXPECT_EQ(p.instructions[0].reconverge, 2u);
}

TEST(PtxOperands, lanesThatFallOffTheEndExit)
{
    const Program p
        = parsed(std::string(kHeader) + ".entry k() { .reg .pred p; @p bra END; ret; END: }");
    EXPECT_EQ(p.instructions.back().op, Opcode::Exit);
    EXPECT_EQ(p.instructions[0].target, 2u);
}

TEST(PtxOperands, eachFormHasOneRowAndAHandler)
{
    std::set<std::pair<std::string_view, ptx::TypeMask>> seen;
    for (const ptx::OpcodeRow& row : ptx::opcodeRows()) {
        EXPECT_TRUE(seen.emplace(row.name, row.types).second) << row.name;
        EXPECT_NE(row.decode, nullptr) << row.name;
    }
    EXPECT_GT(seen.size(), 150u);
}

TEST(PtxInstruction, aCopyThatAPredicateIgnoresHasAChosenSize)
{
    const Program program = parsed(kernelWith("cp.async.cg.shared.global [%rd1], [%rd2], 16, !%p1;"));
    EXPECT_EQ(program.mnemonic(0), "selp.b32");
    EXPECT_EQ(program.mnemonic(1), "cp.async");
    EXPECT_EQ(program.instructions[1].src[3].index, program.instructions[0].dst[0].index);
}

TEST(PtxLoad, cacheOperatorsSayWhatIsLeftOfL1)
{
    const std::pair<const char*, L1Use> rows[] { { "ld.global", L1Use::Cached },
        { "ld.global.ca", L1Use::Cached }, { "ld.global.cs", L1Use::Cached },
        { "ld.global.nc", L1Use::Cached }, { "ld.global.cg", L1Use::Bypassed },
        { "ld.global.cv", L1Use::Bypassed },
        { "ld.global.L1::evict_first", L1Use::Cached },
        { "ld.global.nc.L1::no_allocate", L1Use::NoAllocate } };
    for (const auto& [mnemonic, use] : rows)
        EXPECT_EQ(parsed(kernelWith(mnemonic + std::string(".b32 %r1, [%rd1];"))).instructions.at(0).mod.l1, use)
            << mnemonic;
    for (const auto& [op, use] : { std::pair("ca", L1Use::Cached), std::pair("cg", L1Use::Bypassed) })
        EXPECT_EQ(parsed(kernelWith(std::string("cp.async.") + op + ".shared.global [%r1], [%rd1], 16;"))
                      .instructions.at(0).mod.l1, use) << op;
}

} // namespace
} // namespace coalescope::analysis
