// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/run_result.h"
#include "kernels/catalogue/kernel_spec.h"

#include <span>
#include <string>
#include <vector>

namespace coalescope::kernels {

/// The committed measurements, embedded in the program. Parsed once, on first use.
[[nodiscard]] const std::vector<analysis::RunResult>& recordedMeasurements();

/// One of the files they come from, in resources/measured.
struct RecordedFile {
    std::string name; ///< "h200.jsonl"
    std::span<const analysis::RunResult> launches; ///< a part of recordedMeasurements()
};
[[nodiscard]] const std::vector<RecordedFile>& recordedFiles();

struct RecordedAnswer {
    const analysis::RunResult* exact
        = nullptr; ///< the very same launch; null where none is recorded
    std::vector<const analysis::RunResult*>
        near; ///< same kernel, nearest parameters first, at most five
};

/// A recorded launch stands in for a GPU only if the kernel's source and every parameter are the same. What was recorded on the
/// device is preferred.
[[nodiscard]] RecordedAnswer recordedFor(const LaunchPlan& plan, std::string_view device = {});

} // namespace coalescope::kernels
