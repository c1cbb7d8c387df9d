// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/launch.h"

#include <vector>

namespace coalescope::kernels {

/// Blocks that lie evenly in the grid, however many of them are taken.
///
/// Source:  the R3 sequence (Roberts 2018).
[[nodiscard]] std::vector<analysis::Dim3> spreadBlocks(const analysis::Dim3& grid, int count);

} // namespace coalescope::kernels
