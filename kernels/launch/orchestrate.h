// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/launch/job.h"

#include <functional>

namespace coalescope::kernels {

/// The `coalescope` program that runs the steps: $COALESCOPE_WORKER, this program where it is
/// `coalescope`, or the one beside it.
///
/// Errors: TargetFailed.
[[nodiscard]] Result<std::string> workerExecutable();

using ProgressFunction = std::function<void(const MeasureProgress&)>;

/// Runs the steps of a job as children, one after another on the GPU, and joins their results.
///
/// The later steps' processes start with the first and wait, compiled and ready, for their turn.
/// A counting step that fails leaves its reason in notMeasured. `cancelled` is asked often. A held job's
/// steps are prepared, and none begins on the GPU before `mayStart` returns; false: it shall not run at all.
/// From the stage "timed" on nothing that other processes do on the CPU changes what is measured.
[[nodiscard]] Result<analysis::RunResult> measureJob(const Job& job, const ProgressFunction& progress,
    const std::function<bool()>& cancelled, const std::function<bool()>& mayStart = {});

/// Measures this machine's GPU: its rates, then the duration of an empty kernel as the profiler has it, each
/// in a process of its own. Without permission for counters the period of empty launches stands in for the
/// latter.
[[nodiscard]] Result<DeviceRow> calibrateJob(
    const ProgressFunction& progress, const std::function<bool()>& cancelled);

/// What a counting step gave, or why it gave nothing.
using StepOutcome = Result<analysis::RunResult>;

/// Puts counters and lines into the result of the run. Afterwards every key has a value or a reason.
void joinCounts(analysis::RunResult& run, const StepOutcome& counted, const StepOutcome& lines);

} // namespace coalescope::kernels
