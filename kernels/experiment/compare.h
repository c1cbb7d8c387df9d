// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/run_result.h"
#include "kernels/catalogue/kernel_spec.h"

namespace coalescope::kernels {

/// The recorded measurement of exactly this launch.
///
/// Errors: NotRecorded, naming the nearest recorded launches.
[[nodiscard]] Result<analysis::RunResult> recordedResult(const LaunchPlan& plan);

/// Whether every exact key that was measured equals its prediction, and no arbitration key is below
/// it.
[[nodiscard]] bool exactKeysAgree(const analysis::Comparison& comparison);

} // namespace coalescope::kernels
