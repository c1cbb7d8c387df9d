// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"

namespace coalescope::kernels {

/// As planLaunch(). Of a kernel that a program launches, what its host code works out is of these values: with other ones than the
/// defaults the program is read and followed again, some seconds at most, as if they stood in its source. The last ones are kept.
/// Where that leads to another launch, what was worked out stays as it was, and is guessed.
///
/// Not for the GUI thread. Thread-safe.
[[nodiscard]] Result<LaunchPlan> planFollowed(const KernelSpec& kernel, const ParameterValues& values);

} // namespace coalescope::kernels
