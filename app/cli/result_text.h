// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/run_result.h"

#include <string>

namespace coalescope::cli {

/// A prediction or a measurement for reading in a terminal.
[[nodiscard]] std::string textOf(const analysis::RunResult& result);

/// Predicted beside measured, with the difference and what it means.
[[nodiscard]] std::string textOf(const analysis::Comparison& comparison);

/// How far the time estimate can be trusted: ", mean error 8 %", or why no error is known.
[[nodiscard]] std::string trustOf(const analysis::RunResult& result);

} // namespace coalescope::cli
