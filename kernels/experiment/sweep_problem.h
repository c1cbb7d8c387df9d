// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"

namespace coalescope::kernels {

/// Whether the error is about this one launch, so that the others may go on.
[[nodiscard]] bool isOfTheLaunch(ErrorCode code);

/// Whether the launch is not allowed: by its kernel's conditions or by the GPU's limits.
[[nodiscard]] bool isNotAllowed(ErrorCode code);

} // namespace coalescope::kernels
