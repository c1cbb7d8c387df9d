// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/uses.h"

#include <algorithm>

namespace coalescope::analysis {

RegisterUses::RegisterUses(const Program& program)
    : uses(program.registers)
    , definitions(program.registers)
{
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
        const Instruction& ins = program.instructions[i];
        for (const Operand& operand : ins.src)
            if (operand.kind == OperandKind::Register)
                uses[operand.index].push_back(i);
        if (ins.guard != kNone)
            uses[ins.guard].push_back(i);
        for (const Operand& operand : ins.dst)
            if (operand.kind == OperandKind::Register)
                definitions[operand.index].push_back(i);
    }
}

bool RegisterUses::isSetBetween(const Operand& operand, std::uint32_t first, std::uint32_t last) const
{
    return operand.kind == OperandKind::Register
        && std::ranges::any_of(definitions[operand.index], [&](std::uint32_t at) { return at >= first && at < last; });
}

} // namespace coalescope::analysis
