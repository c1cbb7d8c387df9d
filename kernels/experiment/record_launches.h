// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/measure_queue.h"

namespace coalescope::kernels {

/// A launch as a list has it, and its outcome.
using RecordedFunction
    = std::function<void(std::size_t index, const Result<analysis::RunResult>& measured)>;

struct RecordOptions : MeasureQueueOptions {
    std::string
        output; ///< path of the file of results, which is made or grows: one a line, as JSON
};

/// Measures launches of any kernels as measureQueue() does and adds each result to a file, on the
/// disk before it is told. What the file holds, by kernel and parameters, is told first and not
/// measured again. A launch that fails is told and in no file.
///
/// Errors: FileFailed; BadInput with FILE:LINE where the file holds something else; those of
/// measureQueue().
[[nodiscard]] Result<void> recordLaunches(const std::vector<LaunchPlan>& launches,
    const RecordOptions& options, const RecordedFunction& recorded);

} // namespace coalescope::kernels
