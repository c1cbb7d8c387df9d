// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

#include <vector>

namespace coalescope::analysis {

/// Which registers hold the same in all lanes of a block, as a compiler sees it: they are made of nothing but parameters, the block's place
/// and loads from such addresses. Lanes that execute different turns of a loop may differ all the same.
///
/// Shapes: one a register.
[[nodiscard]] std::vector<bool> uniformRegisters(const Program& program);

} // namespace coalescope::analysis
