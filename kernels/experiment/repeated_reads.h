// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/device_model.h"
#include "analysis/device/traffic.h"
#include "analysis/grid/grid_totals.h"
#include "kernels/experiment/block_shape.h"
#include "kernels/experiment/predict.h"

namespace coalescope::kernels {

/// Corrects what one block alone tells of the grid's reads where its loads read again what they, or those of other
/// blocks, have read: L1 is then followed through the blocks of one SM, and DRAM reads again what the L2 has let go.
/// `l1Lines`: of an SM; 0: not known, and L1 keeps what a block reads.
///
/// Bounded for any kernel: a few milliseconds.
void addRepeatedReads(analysis::Traffic& traffic, const analysis::DeviceModel& device, const Prediction& prediction,
    const analysis::GridTotals& totals, const analysis::BlockTrace& trace, const BlockShape& shape, std::size_t l1Lines);

} // namespace coalescope::kernels
