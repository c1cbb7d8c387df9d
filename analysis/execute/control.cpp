// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/access_checks.h"
#include "analysis/execute/block.h"
#include "analysis/execute/handlers.h"
#include "analysis/execute/rules.h"

#include <fmt/format.h>

namespace coalescope::analysis {

namespace {

/// Continues with `part` of the active lanes at `target`; the others wait in the stack.
///
/// Lanes meet again at the branch's immediate post-dominator. Where the current entry already ends
/// there, no entry for the meeting is needed: the one below will run it.
void diverge(
    Warp& w, LaneMask part, std::uint32_t target, std::uint32_t otherPc, std::uint32_t meet)
{
    const LaneMask others = w.active & ~part;
    if (w.reconverge != meet)
        w.stack.push_back({ w.active, meet, w.reconverge });
    if (target == meet) {
        w.active = others;
        w.pc = otherPc;
    } else {
        if (otherPc != meet)
            w.stack.push_back({ others, otherPc, meet });
        w.active = part;
        w.pc = target;
    }
    w.reconverge = meet;
}

/// How often the loop's instructions are executed then depends on how often ptxas unrolls it.
/// Source: gemv and csr_spmv of tests/device/kernels on an H200.
void noteDivergentLoop(Warp& w, const Decoded& d)
{
    Block& block = *w.block;
    const auto& origin = block.box().origin;
    block.log().add(HazardKind::DivergentLoop, d.source->lineToName(), 0,
        orderOf(block.launch().grid, origin), [&] {
            return fmt::format("lanes of warp {} of block ({}, {}, {}) leave this loop after "
                               "different numbers of turns: if ptxas unrolls it, the GPU counts "
                               "its requests in parts, and more of them than are predicted",
                w.index, origin[0], origin[1], origin[2]);
        });
}

Step bra(Warp& w, const Decoded& d, LaneMask mask)
{
    if (mask != w.active && d.turnsLoop)
        noteDivergentLoop(w, d);
    if (d.turnsFreely)
        w.block->onTurn(w, d);
    if (mask == w.active)
        w.pc = d.source->target;
    else
        diverge(w, mask, d.source->target, w.pc, d.source->reconverge);
    return Step::Next;
}

Step brxIdx(Warp& w, const Decoded& d, LaneMask mask)
{
    const RegisterState& state = w.state(d.src[0]);
    Block& block = *w.block;
    if (rules::asksForOneValue(w, state, mask))
        return Step::Stop;
    const auto& table = block.program().program->branchTables[d.source->target];
    const Word* index = w.value(d.src[0]);
    // One group of lanes a target: all but the last wait in the stack.
    LaneMask rest = mask;
    while (rest != 0) {
        const auto chosen = std::uint32_t(index[std::countr_zero(rest)]);
        LaneMask group = 0;
        for (LaneMask lanes = rest; lanes != 0; lanes &= lanes - 1)
            if (std::uint32_t(index[std::countr_zero(lanes)]) == chosen)
                group |= lanes & -lanes;
        rest &= ~group;
        if (chosen >= table.size()) {
            block.stop({ ErrorCode::ExecutionFailed, "a jump table has no entry for its index",
                placeOf(*block.program().program, block.instructionOf(d)) });
            return Step::Stop;
        }
        if (group == w.active) {
            w.pc = table[chosen];
            return Step::Next;
        }
        const std::uint32_t meet = d.source->reconverge;
        if (w.reconverge != meet) {
            w.stack.push_back({ w.active, meet, w.reconverge });
            w.reconverge = meet;
        }
        w.stack.push_back({ group, table[chosen], meet });
        w.active &= ~group;
    }
    return Step::Next; // lanes that the guard kept out fall through
}

Step exitLanes(Warp& w, const Decoded&, LaneMask mask)
{
    w.live &= ~mask;
    w.active &= ~mask;
    return Step::Next;
}

Step trap(Warp& w, const Decoded& d, LaneMask mask)
{
    stopAt(w, d, std::countr_zero(mask), "executes a trap, as an assert() that fails does");
    return Step::Stop;
}

Step bar(Warp& w, const Decoded& d, LaneMask mask) { return w.block->arrive(w, d, mask); }

Step barWarp(Warp& w, const Decoded&, LaneMask)
{
    w.block->shared().syncWarp(w.index);
    return Step::Next;
}

} // namespace

Handler selectBra(const Instruction&) { return &bra; }
Handler selectBrxIdx(const Instruction&) { return &brxIdx; }
Handler selectExit(const Instruction&) { return &exitLanes; }
Handler selectTrap(const Instruction&) { return &trap; }
Handler selectBar(const Instruction&) { return &bar; }
Handler selectBarWarp(const Instruction&) { return &barWarp; }

} // namespace coalescope::analysis
