// SPDX-License-Identifier: Apache-2.0
// What a sweep consists of, apart from running it.
#pragma once

#include "analysis/result/run_result.h"
#include "kernels/catalogue/kernel_spec.h"

#include <optional>
#include <string>
#include <vector>

namespace coalescope::cli {

/// One parameter with the values it takes.
struct SweepAxis {
    std::string name;
    std::vector<std::string> values;
};

/// One launch of the sweep; `problem` says why there is no result.
struct SweepRow {
    kernels::ParameterValues values;
    std::optional<analysis::RunResult> predicted, measured;
    std::string problem;
};

/// The axes of `--over` and the fixed values of `--set`, checked before anything runs: every name
/// is a parameter, no name comes twice, every value is of the parameter's kind.
///
/// Errors: WrongUsage, IllegalParameter.
struct SweepRequest {
    std::vector<SweepAxis> axes;
    kernels::ParameterValues fixed;
};
[[nodiscard]] Result<SweepRequest> sweepRequest(const kernels::KernelSpec& kernel,
    const std::vector<std::string>& over, const std::vector<std::string>& sets);

/// Every combination, the last axis fastest.
[[nodiscard]] std::vector<kernels::ParameterValues> combinations(const SweepRequest& request);

[[nodiscard]] std::string sweepCsv(
    const kernels::KernelSpec& kernel, const std::vector<SweepRow>& rows, bool measured);
[[nodiscard]] std::string sweepJson(const std::vector<SweepRow>& rows);
[[nodiscard]] std::string sweepText(
    const std::vector<SweepRow>& rows, const std::vector<SweepAxis>& axes, bool measured);

} // namespace coalescope::cli
