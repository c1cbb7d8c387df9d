// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/launch/measure.h"

namespace CLI {
class App;
}

namespace coalescope::cli {

/// Adds --runs, --time-limit and --count; what `options` says beforehand is the default.
void addMeasureArguments(CLI::App& command, kernels::MeasureOptions& options);

} // namespace coalescope::cli
