// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"

namespace coalescope::cli {

/// Prints "coalescope: SENTENCE (PLACE). NEXT STEP." to stderr, below it the rest of a detail of
/// many lines (a compiler's log), and returns the exit status.
int reportError(const Error& error);

} // namespace coalescope::cli
