// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"

#include <string>
#include <utility>

namespace coalescope::kernels {

/// The catalogue's copy kernel on a small matrix.
inline LaunchPlan copyPlan(std::string rows = "33", std::string cols = "65")
{
    const auto kernel = kernelNamed("copy");
    return planLaunch(**kernel, { { "rows", std::move(rows) }, { "cols", std::move(cols) } }).value();
}

} // namespace coalescope::kernels
