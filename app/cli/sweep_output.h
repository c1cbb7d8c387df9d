// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/sweep.h"

#include <string>
#include <vector>

namespace coalescope::cli {

/// A table with the fastest sound launches of each problem marked, as predicted and as measured.
[[nodiscard]] std::string sweepText(
    const std::vector<kernels::SweepRow>& rows, const std::vector<kernels::SweepAxis>& axes, bool measured);

} // namespace coalescope::cli
