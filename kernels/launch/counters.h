// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/run_result.h"
#include "kernels/launch/gpu_session.h"

#include <functional>
#include <map>
#include <string>

namespace coalescope::kernels {

/// Takes one line of diagnostics.
using Trace = std::function<void(const std::string&)>;

/// Values of counters, and why the others have none.
struct CounterValues {
    analysis::MetricValues metrics;
    std::map<std::string, std::string> notMeasured; ///< key -> why
};

/// True for the metrics that only the SASS Metrics API has, per instruction.
[[nodiscard]] bool isPerInstructionOnly(analysis::Metric metric);

/// Which keys CUPTI's host side knows for a chip; needs CUPTI but no GPU.
///
/// Errors: NoCupti, UnsupportedChip.
[[nodiscard]] Result<std::map<std::string, bool>> knownCounters(const std::string& chip);

/// Loads CUPTI and its tables, which needs no GPU: what a step does while it waits for one. A failure is met
/// again, and told, by the calls below.
void loadProfiler();

/// Attaches the profiler; called after GpuSession::start() and before GpuSession::openContext().
[[nodiscard]] Result<void> attachRangeProfiler();

/// Counts one launch with the Range Profiler: one range around the kernel, as many replays as the
/// counters need. CUPTI saves the buffers before the first and restores them before every other.
///
/// Errors: NoCupti, NoCounterPermission, UnsupportedChip, what the kernel did wrong. A metric that this
///         chip does not have ends in notMeasured and stops no other.
[[nodiscard]] Result<CounterValues> countLaunch(GpuSession& session, const Trace& trace);

} // namespace coalescope::kernels
