// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/sweep_look.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/plot/xy_plot.h"

namespace coalescope::app {

[[nodiscard]] HeatMapModel heatMapOf(const SweepData& data, const SweepLook& look);
/// One line along the x axis, everything else held: predicted joined, measured as points.
[[nodiscard]] XyModel lineOf(const SweepData& data, const SweepLook& look);
/// Every launch that was measured, predicted across, measured up.
[[nodiscard]] XyModel scatterOf(const SweepData& data, const SweepLook& look);

} // namespace coalescope::app
