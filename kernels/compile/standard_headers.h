// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coalescope::kernels {

/// A header that kernel files include though no CUDA toolkit or C library may be there.
struct StandardHeader {
    std::string name; ///< as in #include <name>
    std::string content;
    bool isCuda = false; ///< belongs to the CUDA toolkit, where there is one
};

/// Small stand-ins: the integer types for <cstdint>, nothing for what the compilers know by themselves.
[[nodiscard]] const std::vector<StandardHeader>& standardHeaders();

} // namespace coalescope::kernels
