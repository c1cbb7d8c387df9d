// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/record_launches.h"

#include <string>

namespace coalescope::cli {

/// Measures the launches of a list, a line `KERNEL NAME=VALUE...` each, into the file of results
/// that the options name. Returns the exit status of the contract: 5 where a launch failed.
int runMeasureBatch(const std::string& list, kernels::RecordOptions options);

} // namespace coalescope::cli
