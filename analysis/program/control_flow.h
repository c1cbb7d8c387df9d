// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

#include <cstdint>
#include <vector>

namespace coalescope::analysis {

/// Instructions [begin, end) that are entered at the first and left after the last only.
struct BasicBlock {
    std::uint32_t begin = 0, end = 0;
    std::vector<std::uint32_t> successors; ///< blocks; the block count stands for the exit
};

/// Splits the program at its branches, their targets and its exits.
[[nodiscard]] std::vector<BasicBlock> basicBlocks(const Program& program);

/// Fills Instruction::reconverge of every bra and brx.idx.
///
/// It is the first instruction that every path from the branch reaches unless its lanes exit
/// before: instructions.size() where the paths meet nowhere. Lanes that leave the kernel early
/// therefore do not keep the others from running together again, as on the GPU, where a lane that
/// exits drops out of the barriers that it is expected at.
///
/// Source:  where ptxas 13.0 puts BSSY and BSYNC in sm_80 code for a return within an if and a loop.
/// Checked: control_flow_test.cpp, tests/ptx/return-early.ptx, loop-break.ptx.
void computeReconvergence(Program& program);

} // namespace coalescope::analysis
