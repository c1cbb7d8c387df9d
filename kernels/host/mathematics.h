// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// Functions of real numbers, by the names that C++ has for them.
namespace coalescope::kernels::host {

struct Mathematics {
    double (*ofOne)(double) = nullptr;
    double (*ofTwo)(double, double) = nullptr;
    bool isOfFloat = false; ///< by its name: sinf
};

/// Neither: there is none of that name, or with so many arguments.
[[nodiscard]] Mathematics mathematics(std::string_view name, std::size_t arguments);

} // namespace coalescope::kernels::host
