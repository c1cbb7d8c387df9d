// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/traffic.h"
#include "analysis/grid/grid_totals.h"
#include "analysis/program/program.h"

namespace coalescope::kernels {

/// Adds to a path what PTX issues beyond it, at the path's pace, or takes off what it issues less, where that is much: a path makes the
/// accesses of the PTX, and may pass by arithmetic about which data or branches decide. `issued`: by all warps, as programWork() tells;
/// `warps`: of the launch.
///
/// Source:  PTX's own counts, see programWork().
/// Checked: traffic_test.cpp, swept_kernels_test.cpp, against launches of an NVIDIA H200.
void addMissingWork(
    analysis::MachineWork& work, const analysis::ProgramWork& issued, const analysis::Program& program, const analysis::GridTotals& totals, double warps);

} // namespace coalescope::kernels
