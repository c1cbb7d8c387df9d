// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/sweep.h"

#include <string>

namespace coalescope::kernels {

/// An estimate that is longer by no more than this factor is as good.
inline constexpr double kSameTime = 1.001;

/// Whether the error is about this one launch, so that the others may go on.
[[nodiscard]] bool isOfTheLaunch(ErrorCode code);

/// Whether the launch is not allowed: by its kernel's conditions or by the GPU's limits.
[[nodiscard]] bool isNotAllowed(ErrorCode code);

/// A launch that races or touches a bad address, whatever time it takes.
[[nodiscard]] bool hasFault(const SweepRow& row);

/// What a table says of a launch: its problem, and where it is faulty "faulty: out-of-bounds in line 14".
[[nodiscard]] std::string problemText(const SweepRow& row);

} // namespace coalescope::kernels
