// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"

#include <string>
#include <utility>

namespace coalescope::kernels {

/// A plan of a source that no file holds.
inline LaunchPlan planOf(std::string source, std::string entry)
{
    LaunchPlan plan;
    plan.sourceName = "user.cu";
    plan.source = std::move(source);
    plan.entry = std::move(entry);
    return plan;
}

} // namespace coalescope::kernels
