// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

#include <cstdint>
#include <vector>

namespace coalescope::analysis {

/// How many loads of global memory, one after the other, an instruction's operands wait for within its basic block: 0 for a load of
/// `x[i]`, 1 for one of `y[x[i]]`, 2 for one of `z[y[x[i]]]`. Loads of one level may be made together.
///
/// Shapes: one an instruction.
[[nodiscard]] std::vector<std::uint32_t> loadLevels(const Program& program);

} // namespace coalescope::analysis
