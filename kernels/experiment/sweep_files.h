// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/sweep.h"

#include <string>
#include <vector>

namespace coalescope::kernels {

/// A line a launch: every parameter, every metric, the times where `measured`, the problem, and the
/// predicted times.
[[nodiscard]] std::string sweepCsv(
    const KernelSpec& kernel, const std::vector<SweepRow>& rows, bool measured);

/// A list of objects with `parameters`, `predicted`, `measured` and `problem`, where they are
/// there.
[[nodiscard]] std::string sweepJson(const std::vector<SweepRow>& rows);

} // namespace coalescope::kernels
