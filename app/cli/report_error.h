// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"

#include <string_view>

namespace coalescope::cli {

/// What to do next, as one sentence.
[[nodiscard]] std::string_view nextStepOf(ErrorCode code);

/// Prints "coalescope: SENTENCE (PLACE). NEXT STEP." to stderr, below it the rest of a detail of
/// many lines (a compiler's log), and returns the exit status.
int reportError(const Error& error);

} // namespace coalescope::cli
