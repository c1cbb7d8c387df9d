// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

namespace coalescope::analysis {

/// Lets each loop that waits for other blocks be left after its first turn, and marks it with Instruction::endsWait: blocks are
/// executed one after another here, so that what is waited for never came.
///
/// Such a loop only looks at global memory and tests what it has found: no turn leaves the next one anything, and nothing behind the
/// loop reads what was found. Waits whose answer is used, as a scan's that looks back, stay as they are, and so do all loops of a kernel
/// that writes nothing for others.
///
/// Source:  grid_group::sync() as NVRTC 13.0 compiles it; barriers of whole grids as people write them.
/// Checked: waits_test.cpp.
void passWaits(Program& program);

} // namespace coalescope::analysis
