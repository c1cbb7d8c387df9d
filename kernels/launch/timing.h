// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/launch/gpu_session.h"
#include "kernels/launch/measure.h"

#include <functional>
#include <vector>

namespace coalescope::kernels {

/// Median, minimum and the 10th and 90th percentile (linear between neighbours).
///
/// Units: nanoseconds.
[[nodiscard]] analysis::TimeSample sampleOf(std::vector<double> durationsNs);

/// Device memory at least twice the size of the L2.
struct FlushBuffer {
    std::uint64_t address = 0, bytes = 0;
};

/// Errors: OutOfMemory.
[[nodiscard]] Result<FlushBuffer> makeFlushBuffer(const GpuSession& session);

enum class L2State : std::uint8_t {
    Warm, ///< launches back to back on the same data
    Cold, ///< the L2 is overwritten before each launch
};

/// Times launches one by one with CUDA events, queued ahead of the GPU, so that the host's speed is not
/// part of an event's window. Fewer than options.runs launches are timed where they would take more
/// than four times the kernel's time limit; the sample says how many were.
///
/// Errors: TimedOut, what the kernel did wrong.
[[nodiscard]] Result<analysis::TimeSample> timeLaunches(
    GpuSession& session, const FlushBuffer& buffer, const MeasureOptions& options, L2State state);

} // namespace coalescope::kernels
