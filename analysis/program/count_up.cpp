// SPDX-License-Identifier: Apache-2.0
#include "analysis/program/count_up.h"

#include "analysis/program/uses.h"

namespace coalescope::analysis {

void markCounts(Program& program)
{
    const RegisterUses registers(program);
    for (Instruction& ins : program.instructions) {
        const bool addsOne = ins.mod.atom == AtomOp::Add && ins.src[1].kind == OperandKind::Immediate && ins.src[1].bits == 1;
        const bool isAsked = ins.dst[0].kind == OperandKind::Register && !registers.uses[ins.dst[0].index].empty();
        ins.mod.countsUp = isAtomic(ins) && addsOne && !isFloat(ins.type) && bytesOf(ins.type) == 4 && !isAsked;
    }
}

} // namespace coalescope::analysis
