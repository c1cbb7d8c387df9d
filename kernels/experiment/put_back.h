// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/traffic.h"
#include "analysis/execute/launch.h"
#include "kernels/experiment/block_shape.h"

namespace coalescope::kernels {

/// What a profiler puts back after what the launch reads and writes.
///
/// Before each pass it copies all buffers back, also those that the launch does not change: the last one first, each from its begin
/// to its end.
///
/// Shapes:  `shape` is of the block at `place`, `blocks` of which touch what the grid touches.
/// Source:  34 launches on an H200 (driver 580.159.04, 2026-11-25) whose buffers differ in order and size.
/// Checked: put_back_test.cpp, each of them.
[[nodiscard]] analysis::PutBack putBackOf(const BlockShape& shape, analysis::Dim3 place, const analysis::Launch& launch, double blocks);

} // namespace coalescope::kernels
