// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"
#include "kernels/launch/measure.h"

#include <string>

namespace coalescope::cli {

/// Measures a launch here or behind a target's prefix; progress goes to stderr where that is a
/// terminal.
[[nodiscard]] Result<analysis::RunResult> measureWithProgress(const kernels::LaunchPlan& plan,
    const kernels::MeasureOptions& options, const std::string& target);

/// Measures a launch here or behind a target's prefix and prints it as a table or as JSON; progress
/// goes to stderr where that is a terminal. Returns the exit status of the contract.
int runMeasure(const kernels::LaunchPlan& plan, const kernels::MeasureOptions& options,
    const std::string& target, bool json);

} // namespace coalescope::cli
