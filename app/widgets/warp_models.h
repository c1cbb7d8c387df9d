// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/predictor.h"
#include "app/views/lane/lane_view.h"
#include "app/views/strip/strip_view.h"

#include <QString>

namespace coalescope::app {

/// What a memory step costs and would cost at best, in sectors or wavefronts.
struct StepCost {
    double cost = 0, ideal = 0;
    QString text; ///< "32 wavefronts"
};
[[nodiscard]] StepCost costOf(const analysis::WarpAccess& access);

/// The strip of one warp.
[[nodiscard]] StripModel stripOf(
    const analysis::Program& program, const std::vector<analysis::TraceStep>& steps, int current);

/// The step that wastes the most: what a newcomer should look at first. 0 where nothing is wasted.
[[nodiscard]] int worstStep(const std::vector<analysis::TraceStep>& steps);

/// "ld.shared, line 18: banks and wavefronts".
[[nodiscard]] QString titleOfStep(const analysis::Program& program, const analysis::TraceStep& step);

/// The lane table of an access, with the buffer that its addresses lie in.
[[nodiscard]] LaneDetailModel laneDetailOf(const Predicted& predicted, const analysis::WarpAccess& access, int warp);

/// Which lanes reach outside of every buffer, where that is a finding; else empty.
[[nodiscard]] QString outsideText(const Predicted& predicted, const analysis::WarpAccess& access);

/// What the step's line does over the whole grid: "whole grid: 2.10 M sectors".
[[nodiscard]] QString gridTotalsOf(const Predicted& predicted, const analysis::TraceStep& step);

/// "Block (3, 0), warp 2"; with as many indices as the grid has dimensions.
[[nodiscard]] QString titleOfWarp(const analysis::Dim3& block, int warp, const analysis::Dim3& grid);

} // namespace coalescope::app
