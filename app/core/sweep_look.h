// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/sweep_metrics.h"
#include "app/core/sweep_runner.h"

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

/// What a line along the x axis shows: every other axis is held, and the prediction is read out.
[[nodiscard]] SweepLook lineLook(SweepLook look);

/// Where an axis has a value; nothing where it has not.
[[nodiscard]] std::optional<std::size_t> placeOnAxis(const kernels::SweepAxis& axis, const std::string& value);

/// How many values an axis has; 1 for none (-1).
[[nodiscard]] std::size_t valuesOnAxis(const SweepOrder& order, int axis);

/// The index of a launch's value on every axis.
[[nodiscard]] std::vector<std::size_t> placeOf(const SweepOrder& order, std::size_t launch);

/// The launch of a cell, row by row, and the cell of a launch (-1: of another slice).
[[nodiscard]] std::size_t launchOfCell(const SweepOrder& order, const SweepLook& look, int cell);
[[nodiscard]] int cellOfLaunch(const SweepOrder& order, const SweepLook& look, std::size_t launch);

/// One metric of a launch.
struct SweepFigures {
    std::optional<double> predicted, measured;

    [[nodiscard]] std::optional<double> of(SweepSide side) const;
};
[[nodiscard]] SweepFigures figuresOf(const SweepEntry& entry, const SweepMetric& metric);

/// A launch that races or touches a bad address, whatever time it takes.
[[nodiscard]] bool hasFault(const SweepEntry& entry);

/// Smaller is better; of an error, nearer to none.
[[nodiscard]] double rankOf(const SweepLook& look, double value);

/// Whether a value is no worse than the best; an estimate that is 0.1 % off is no other.
[[nodiscard]] bool isAsGood(const SweepLook& look, double value, double best);

/// What the launch can be compared with: launches of the same work, and those of every work by the error of their prediction.
[[nodiscard]] const std::string& comparedAs(const SweepLook& look, const SweepEntry& entry);

} // namespace coalescope::app
