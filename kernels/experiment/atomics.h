// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/device_model.h"
#include "analysis/device/traffic.h"
#include "analysis/grid/grid_totals.h"
#include "kernels/experiment/predict.h"

namespace coalescope::kernels {

/// Adds what the grid's atomics on global memory ask of the L2, beside the sectors that `traffic` counts already: from those of one block and
/// from how they move (blocks that move add to other words, blocks that do not to the same ones), or, where addresses are data, from some
/// blocks all over the grid.
void addAtomics(analysis::Traffic& traffic, const analysis::DeviceModel& device, const Prediction& prediction,
    const analysis::GridTotals& totals, const analysis::BlockTrace& trace);

/// Adds what the atomics of a block on shared memory take beyond their wavefronts.
void addSharedAtomics(analysis::Traffic& traffic, const analysis::Program& program, const analysis::BlockTrace& trace);

} // namespace coalescope::kernels
