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

/// Whether a function makes a half-precision number, of which nothing is known; or makes another one of it.
[[nodiscard]] bool makesHalf(std::string_view name);
[[nodiscard]] bool readsHalf(std::string_view name);

} // namespace coalescope::kernels::host
