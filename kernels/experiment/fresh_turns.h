// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/block_accesses.h"
#include "kernels/experiment/block_moves.h"

namespace coalescope::kernels {

/// Share of a block's turns at loads that wait for DRAM as long as what they want is asked for first; of the warps that have
/// most of them. The halo that a neighbouring block asks for in an earlier turn is on its way, or there.
///
/// Source:  times of tiles with halos on an H200; docs/models.md.
/// Checked: traffic_test.cpp.
[[nodiscard]] double freshTurns(const BlockAccesses& accesses, const BlockMoves& moves);

} // namespace coalescope::kernels
