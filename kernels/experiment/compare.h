// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/run_result.h"
#include "kernels/catalogue/kernel_spec.h"

namespace coalescope::kernels {

/// The recorded measurement of exactly this launch on the device; empty: on whichever it was recorded.
///
/// Errors: NotRecorded, naming the device that it is recorded on or the nearest recorded launches.
[[nodiscard]] Result<analysis::RunResult> recordedResult(const LaunchPlan& plan, std::string_view device = {});

/// Whether every exact key that was measured equals its prediction, and no arbitration key is below
/// it.
[[nodiscard]] bool exactKeysAgree(const analysis::Comparison& comparison);

} // namespace coalescope::kernels
