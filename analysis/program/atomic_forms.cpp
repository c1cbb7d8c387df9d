// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/atomic_forms.h"

#include "analysis/program/uniform_registers.h"
#include "analysis/program/uses.h"

#include <algorithm>

namespace coalescope::analysis {
namespace {

bool isWord(const Instruction& ins) { return !isFloat(ins.type) && bytesOf(ins.type) == 4; }

bool addsOne(const Instruction& ins)
{
    return ins.mod.atom == AtomOp::Add && ins.src[1].kind == OperandKind::Immediate && ins.src[1].bits == 1;
}

/// Whether what all lanes do to one word is done by one of them, if all lanes have the same address.
bool canBeOneLanes(const Instruction& ins, bool isAsked, bool isSameValue)
{
    switch (ins.mod.atom) {
    case AtomOp::Add: return isWord(ins) || (!isFloat(ins.type) && bytesOf(ins.type) == 8 && isSameValue);
    case AtomOp::Min:
    case AtomOp::Max:
    case AtomOp::And:
    case AtomOp::Or:
    case AtomOp::Xor: return isWord(ins) && !isAsked;
    default: return false;
    }
}

/// Whether an operand is the same in all threads of the grid, whatever data hold: made of parameters and constants.
bool isOfLaunch(const Program& program, const RegisterUses& registers, const Operand& operand, int depth)
{
    constexpr int kDeepest = 16;
    if (operand.kind != OperandKind::Register)
        return operand.kind == OperandKind::Immediate || operand.kind == OperandKind::None;
    if (depth > kDeepest || !registers.isSetOnce(operand.index))
        return false;
    const Instruction& made = program.instructions[registers.definitions[operand.index].front()];
    if (made.op == Opcode::Ld)
        return made.mod.space == Space::Param;
    const bool isPlain = made.op == Opcode::Mov || made.op == Opcode::Cvta || made.op == Opcode::Cvt || made.op == Opcode::Add || made.op == Opcode::Sub
        || made.op == Opcode::Mul || made.op == Opcode::Mad || made.op == Opcode::Shl;
    return isPlain && std::ranges::all_of(made.src, [&](const Operand& source) { return isOfLaunch(program, registers, source, depth + 1); });
}

} // namespace

void markAtomics(Program& program)
{
    const bool has = std::ranges::any_of(program.instructions, [](const Instruction& ins) { return isAtomic(ins); });
    if (!has)
        return;
    const RegisterUses registers(program);
    const std::vector<bool> uniform = uniformRegisters(program);
    const auto isSame = [&](const Operand& operand) { return operand.kind != OperandKind::Register || uniform[operand.index]; };
    for (Instruction& ins : program.instructions) {
        if (!isAtomic(ins))
            continue;
        const bool isAsked = ins.dst[0].kind == OperandKind::Register && !registers.uses[ins.dst[0].index].empty();
        const bool alwaysAnswers = ins.mod.atom == AtomOp::Cas || ins.mod.atom == AtomOp::Exch || ins.mod.space == Space::Generic;
        ins.mod.isReduction = !isAsked && !alwaysAnswers;
        ins.mod.countsUp = addsOne(ins) && isWord(ins) && !isAsked;
        ins.mod.isOfLaunch = isOfLaunch(program, registers, ins.src[0], 0);
        ins.mod.isOneLanes = isSame(ins.src[0]) && canBeOneLanes(ins, isAsked, isSame(ins.src[1]));
    }
}

} // namespace coalescope::analysis
