// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/run_result.h"
#include "kernels/catalogue/kernel_spec.h"

#include <functional>
#include <string>

namespace coalescope::kernels {

struct MeasureOptions {
    int warmups = 3, runs = 20; ///< per time, warm and cold
    bool counters = true; ///< Range Profiler keys
    bool lines = true; ///< SASS metrics per source line, in a process of its own
    double kernelTimeLimitSeconds = 10; ///< a kernel that runs longer is given up
};

struct MeasureProgress {
    std::string stage; ///< "compile", "verify", "time", "timed", "count", "lines", "done"
    double fraction = 0;
};

/// Runs the plan on the local GPU: verified, timed with no profiler attached, then counted.
///
/// Each of the three profiled or risky steps runs in a child process of this executable, so that a
/// sticky CUDA error, a CUPTI crash or an endless kernel leaves the caller alive.
///
/// Errors: NoDriver, NoDevice, NoCompiler, CompileFailed, NoCounterPermission, UnsupportedChip,
///         OutOfMemory, IllegalAddress, IllegalLaunch, LaunchFailed, TimedOut.
[[nodiscard]] Result<analysis::RunResult> measure(const LaunchPlan& plan, const MeasureOptions& options,
    const std::function<void(const MeasureProgress&)>& progress = {});

/// Name and driver of the local GPU, or why there is none.
struct GpuInfo {
    std::string name, driver;
    int computeMajor = 0, computeMinor = 0;
};
[[nodiscard]] Result<GpuInfo> localGpu();

/// Serves `coalescope measure --job -`: one job as JSON on stdin, progress and result as JSON lines on
/// stdout. Returns the exit status of the contract.
int serveJob();

/// The job as JSON for `measure --job -`: all that the GUI sends to a GPU.
[[nodiscard]] std::string jobJson(const LaunchPlan& plan, const MeasureOptions& options);

} // namespace coalescope::kernels
