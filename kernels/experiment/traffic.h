// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/device/device_model.h"
#include "analysis/device/traffic.h"
#include "analysis/grid/grid_totals.h"
#include "kernels/experiment/predict.h"

namespace coalescope::kernels {

/// Sums a prediction's totals for the estimates, and looks at one block in the middle of the grid
/// for what its loads share and how often they are waited for.
[[nodiscard]] analysis::Traffic trafficOf(const analysis::DeviceModel& device,
    const Prediction& prediction, const analysis::GridTotals& totals);

} // namespace coalescope::kernels
