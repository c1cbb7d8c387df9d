// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/traffic.h"
#include "analysis/grid/grid_totals.h"
#include "analysis/program/program.h"

#include <span>

namespace coalescope::kernels {

/// What a launch issues as far as its program tells, where no path through the machine code is known: each instruction counts as the
/// machine instructions that it becomes on its usual way. Exact divisions and roots become ten and more, addresses of parameters'
/// memory and most moves none.
///
/// Source:  machine code that NVRTC 13.0 makes for sm_90 of one operation after the other, as machinePath follows it.
/// Checked: program_work_test.cpp, against machine code of whole kernels.
[[nodiscard]] analysis::ProgramWork programWork(const analysis::Program& program, std::span<const analysis::InstructionTotals> totals);

} // namespace coalescope::kernels
