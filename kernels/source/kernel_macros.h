// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

/// Text that takes the place of other text.
struct Replacement {
    std::size_t begin = 0, end = 0;
    std::string text;
};

/// Shapes: lines stay lines.
[[nodiscard]] std::string replaced(std::string_view source, std::vector<Replacement> replacements);

/// Puts kernels where macros make some: `KERNEL(add, a + b)` of a `#define KERNEL(name, op) __global__ void name(...) { ... op ... }`; and
/// parameters where macros stand for them: `__global__ void add(VECTORS, int n)`.
///
/// Shapes: lines stay lines; a kernel stands on the line of its macro, as the compiler counts it. The same text where no macro makes any.
[[nodiscard]] std::string withKernelMacros(std::string_view source);

} // namespace coalescope::kernels
