// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/cache_model.h"
#include "kernels/experiment/block_shape.h"
#include "kernels/experiment/predict.h"

namespace coalescope::kernels {

/// Limits what the blocks of a launch whose addresses are data can read of each buffer, by what some of them read that lie anywhere in
/// the grid: where these ask for the same lines the more often the more they are, all draw from a pool, as from the few rows of a
/// table that indices name; otherwise as much of what each asks for is new as with the last of them.
///
/// Bounded for any kernel: some ten milliseconds, or a twentieth of what executing the grid takes. `instructions`: of a block's warps, on
/// average.
void limitReadsByData(BlockShape& shape, const Prediction& prediction, double instructions);

/// Lines, or sectors, that are drawn from a pool of so many by so many draws: each may draw any, again and again.
[[nodiscard]] double linesDrawn(double lines, double draws);

/// The size of the pool from which so many draws have drawn so many distinct lines; fewer than drawn.
[[nodiscard]] double poolOf(double distinct, double draws);

/// Bytes that DRAM reads again because the L2 has let go what other blocks have drawn from a pool.
[[nodiscard]] double drawnBytesReadAgain(
    const BlockShape::Touched& touched, const analysis::DeviceModel& device, const analysis::Traffic& traffic);

} // namespace coalescope::kernels
