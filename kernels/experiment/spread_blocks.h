// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/launch.h"

#include <vector>

namespace coalescope::kernels {

/// Blocks that lie evenly in the grid, however many of them are taken.
///
/// Source:  the R3 sequence (Roberts 2018).
[[nodiscard]] std::vector<analysis::Dim3> spreadBlocks(const analysis::Dim3& grid, int count);

/// How many blocks may be traced to learn about the others: a twentieth of the grid, or as many as take 200,000 instructions of a warp.
/// `instructions`: of a block's warps, on average.
[[nodiscard]] double affordableBlocks(double blocks, double instructions);

} // namespace coalescope::kernels
