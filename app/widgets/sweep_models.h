// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/sweep_metrics.h"
#include "app/core/sweep_runner.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/plot/xy_plot.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace coalescope::app {

/// What of a sweep is looked at. Axes are named by their place in the order; those that are neither
/// x nor y are held at one of their values.
struct SweepLook {
    SweepMetric metric;
    SweepSide side = SweepSide::Predicted;
    int x = 0, y = 1; ///< y is -1 where there is one axis
    std::vector<std::size_t> slice; ///< an index of a value for each axis; of x and y without meaning

    bool operator==(const SweepLook&) const = default;
};

/// A sweep and its rows so far, as a picture is made of them. `entries` may be empty: nothing has come.
struct SweepData {
    const SweepOrder& order;
    std::span<const SweepEntry> entries;
    std::optional<std::size_t> current; ///< the launch that is the experiment
};

/// The launch of a cell of heatMapOf(), and the cell of a launch (-1: of another slice).
[[nodiscard]] std::size_t launchOfCell(const SweepOrder& order, const SweepLook& look, int cell);
[[nodiscard]] int cellOfLaunch(const SweepOrder& order, const SweepLook& look, std::size_t launch);

[[nodiscard]] HeatMapModel heatMapOf(const SweepData& data, const SweepLook& look);
/// One line along the x axis, everything else held: predicted joined, measured as points.
[[nodiscard]] XyModel lineOf(const SweepData& data, const SweepLook& look);
/// Every launch that was measured, predicted across, measured up.
[[nodiscard]] XyModel scatterOf(const SweepData& data, const SweepLook& look);

/// A launch with its figures or why it has none, one a line.
[[nodiscard]] QString launchText(const SweepOrder& order, const SweepEntry& entry, std::size_t launch, const SweepMetric& metric);
/// Why a launch is not allowed or has no result; empty where it has one.
[[nodiscard]] QString problemText(const SweepEntry& entry);

/// The heat map in a sentence: the best launch and the worst, how many are not allowed.
[[nodiscard]] QString heatMapSentence(const SweepData& data, const SweepLook& look);
/// How far off the predictions are over everything measured.
[[nodiscard]] QString scatterSentence(const SweepData& data, const SweepLook& look);

} // namespace coalescope::app
