// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"

#include <vector>

namespace coalescope::analysis {

/// Which registers hold the same in all lanes of a warp, as a compiler sees it: they are made of nothing but parameters, the block's place,
/// loads from such addresses, votes and sums of the warp, and what one such lane shuffles to all; and are not set in several places of
/// which lanes take different ones.
///
/// Source:  which atomics of 71 kernels ptxas 13.0 makes one lane's, as an H200 (driver 580.159.04, 2026-11-28) counts their sectors. Of a
///          loop whose bound is loaded again in each turn it does not take the counter to be the same; this does.
/// Shapes: one a register.
[[nodiscard]] std::vector<bool> uniformRegisters(const Program& program);

} // namespace coalescope::analysis
