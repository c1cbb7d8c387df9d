// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"

#include <string_view>

namespace coalescope::cli {

/// The exit status of the command-line contract: 1 a finding, 2 wrong usage, 3 bad input, 4 no GPU,
/// driver or permission, 5 the GPU run failed.
[[nodiscard]] int exitStatusOf(ErrorCode code);

/// What to do next, as one sentence.
[[nodiscard]] std::string_view nextStepOf(ErrorCode code);

/// Prints "coalescope: SENTENCE (PLACE). NEXT STEP." to stderr and returns the exit status.
int reportError(const Error& error);

} // namespace coalescope::cli
