// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/uniform_registers.h"

#include <algorithm>

namespace coalescope::analysis {
namespace {

bool isOfTheBlock(const Operand& operand)
{
    switch (SpecialRegister(operand.index)) {
    case SpecialRegister::NtidX:
    case SpecialRegister::NtidY:
    case SpecialRegister::NtidZ:
    case SpecialRegister::CtaidX:
    case SpecialRegister::CtaidY:
    case SpecialRegister::CtaidZ:
    case SpecialRegister::NctaidX:
    case SpecialRegister::NctaidY:
    case SpecialRegister::NctaidZ:
    case SpecialRegister::GridId:
    case SpecialRegister::DynamicSharedSize:
    case SpecialRegister::TotalSharedSize: return true;
    default: return false;
    }
}

/// Whether lanes get different results of the same operands.
bool tellsLanesApart(const Instruction& ins)
{
    switch (ins.op) {
    case Opcode::Atom:
    case Opcode::Shfl:
    case Opcode::Vote:
    case Opcode::MatchAny:
    case Opcode::MatchAll:
    case Opcode::Redux:
    case Opcode::ActiveMask:
    case Opcode::ElectSync:
    case Opcode::Mma:
    case Opcode::MoveMatrix:
    case Opcode::LdMatrix: return true;
    case Opcode::Ld: return ins.mod.space == Space::Local || ins.mod.space == Space::Shared || ins.mod.space == Space::Generic;
    default: return false;
    }
}

} // namespace

std::vector<bool> uniformRegisters(const Program& program)
{
    std::vector<bool> uniform(program.registers, true);
    const auto isUniform = [&](const Operand& operand) {
        return operand.kind == OperandKind::Register ? bool(uniform[operand.index]) : operand.kind != OperandKind::Special || isOfTheBlock(operand);
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (const Instruction& ins : program.instructions) {
            if (!tellsLanesApart(ins) && (ins.guard == kNone || uniform[ins.guard]) && std::ranges::all_of(ins.src, isUniform))
                continue;
            for (const Operand& operand : ins.dst)
                if (operand.kind == OperandKind::Register && uniform[operand.index]) {
                    uniform[operand.index] = false;
                    changed = true;
                }
        }
    }
    return uniform;
}

} // namespace coalescope::analysis
