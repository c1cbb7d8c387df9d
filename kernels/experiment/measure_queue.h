// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/launch/measure.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace coalescope::kernels {

struct MeasureQueueOptions {
    MeasureOptions measure;
    std::vector<std::string>
        targets; ///< command prefixes; "" is this machine; a worker each. None: this machine
    /// Called like `finished`, where a target is given up and others go on.
    std::function<void(const std::string& target, const Error& why)> targetLost;
    std::stop_token stop;
};

/// Launches that wait for a GPU, by number.
struct MeasureQueue {
    std::size_t count = 0;
    std::function<LaunchPlan(std::size_t)> plan; ///< called from several threads
    /// Called one at a time, from a worker thread, once a launch: its measurement, or why it failed
    /// by itself. An error ends the queue.
    std::function<Result<void>(std::size_t, const Result<analysis::RunResult>&)> finished;
};

/// Measures every launch, one at a time on each target, as the targets become free.
///
/// While one launch is being counted, the target's next one starts and compiles and waits, where
/// mayHoldBehind(); it begins on the GPU after the other's `finished` has returned. A target that
/// fails twice running is given up and its launches go to another; where none is left, the last
/// target's error is returned.
///
/// Errors: Cancelled; WrongUsage of a prefix; those of `finished`; those of the last target.
[[nodiscard]] Result<void> measureQueue(
    const MeasureQueue& queue, const MeasureQueueOptions& options);

} // namespace coalescope::kernels
