// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"

#include <string>
#include <vector>

namespace coalescope {

/// Every kernel of the catalogue, for tests of each.
inline std::vector<std::string> kernelIds()
{
    std::vector<std::string> ids;
    for (const kernels::KernelSpec& kernel : kernels::catalogue())
        ids.push_back(kernel.id);
    return ids;
}

} // namespace coalescope
