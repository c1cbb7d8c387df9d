// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace coalescope::kernels {

/// A file of the source tree, embedded so that the one program file is all that must be copied.
struct Resource {
    std::string_view path; ///< relative to the project: "kernels/catalogue/copy.cu"
    std::string_view content;
};

/// Resources whose path starts with `prefix`, in path order.
[[nodiscard]] std::vector<Resource> resourcesUnder(std::string_view prefix);

} // namespace coalescope::kernels
