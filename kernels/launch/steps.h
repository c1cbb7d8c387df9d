// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/run_result.h"
#include "kernels/launch/counters.h"
#include "kernels/launch/job.h"

#include <functional>

namespace coalescope::kernels {

/// What a step needs of the process that runs it.
struct StepContext {
    const Job& job;
    std::function<void(const MeasureProgress&)> progress;
    Trace trace;
    /// Blocks a held step until it may open the GPU; false: it shall not run at all.
    std::function<bool()> mayStart;
    /// Blocks a held step until it has the GPU to itself; false as above.
    std::function<bool()> mayFill;
    /// From now on the process ends with TimedOut when `seconds` pass before the next call.
    std::function<void(double seconds)> deadline;
};

/// Compile, load, fill, launch, verify, time.
[[nodiscard]] Result<analysis::RunResult> runStep(const StepContext& context);

/// Count one launch with the Range Profiler.
[[nodiscard]] Result<analysis::RunResult> countStep(const StepContext& context);

/// Values per source line with the SASS metrics.
[[nodiscard]] Result<analysis::RunResult> linesStep(const StepContext& context);

[[nodiscard]] Result<GpuInfo> infoStep();

/// Now, as an ISO date and time.
[[nodiscard]] std::string utcNow();

/// Runs the kernels of the calibration.
[[nodiscard]] Result<DeviceRow> ratesStep(const StepContext& context);

} // namespace coalescope::kernels
