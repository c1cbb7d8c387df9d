// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/core/predictor.h"
#include "app/views/lane/lane_view.h"
#include "app/views/strip/strip_view.h"

#include <QString>

#include <string_view>

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

/// Of the accesses that a part of the time (TimeTerm::name) is of, the one that wastes the most, then the dearest; -1: none is of it.
[[nodiscard]] int stepOfTerm(const std::vector<analysis::TraceStep>& steps, std::string_view term);
/// Accesses can be of the part.
[[nodiscard]] bool isTermOfAccesses(std::string_view term);

/// What a newcomer should look at first: what the limiter (TimeValues::limiter) is of, where that is wasteful or an atomic,
/// else the step that wastes the most. 0 where nothing is wasted.
[[nodiscard]] int worstStep(const std::vector<analysis::TraceStep>& steps, std::string_view limiter);

/// "ld.shared tile, line 18: banks and wavefronts".
[[nodiscard]] QString titleOfStep(const Predicted& predicted, const analysis::TraceStep& step);

/// The lane table of an access, with the buffer that its addresses lie in.
[[nodiscard]] LaneDetailModel laneDetailOf(const Predicted& predicted, const analysis::WarpAccess& access, int warp);

/// Which lanes reach outside of every buffer, where that is a finding; else empty.
[[nodiscard]] QString outsideText(const Predicted& predicted, const analysis::WarpAccess& access);

/// What the step's line does over the whole grid: "whole grid: 2.10 M sectors".
[[nodiscard]] QString gridTotalsOf(const Predicted& predicted, const analysis::TraceStep& step);

/// "Block (3, 0), warp 2"; with as many indices as the grid has dimensions.
[[nodiscard]] QString titleOfWarp(const analysis::Dim3& block, int warp, const analysis::Dim3& grid);

} // namespace coalescope::app
