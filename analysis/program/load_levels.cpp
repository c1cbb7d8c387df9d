// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/load_levels.h"

#include "analysis/program/control_flow.h"

#include <algorithm>

namespace coalescope::analysis {

namespace {

bool isGlobalLoad(const Instruction& ins)
{
    return ins.op == Opcode::Ld && (ins.mod.space == Space::Global || ins.mod.space == Space::Generic);
}

} // namespace

std::vector<std::uint32_t> loadLevels(const Program& program)
{
    std::vector<std::uint32_t> levels(program.instructions.size()), ofRegisters(program.registers);
    for (const BasicBlock& block : basicBlocks(program)) {
        std::ranges::fill(ofRegisters, 0);
        for (std::uint32_t i = block.begin; i < block.end; ++i) {
            const Instruction& ins = program.instructions[i];
            std::uint32_t level = ins.guard == kNone ? 0 : ofRegisters[ins.guard];
            for (const Operand& operand : ins.src)
                if (operand.kind == OperandKind::Register)
                    level = std::max(level, ofRegisters[operand.index]);
            levels[i] = level;
            for (const Operand& operand : ins.dst)
                if (operand.kind == OperandKind::Register)
                    ofRegisters[operand.index] = level + isGlobalLoad(ins);
        }
    }
    return levels;
}

} // namespace coalescope::analysis
