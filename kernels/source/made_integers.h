// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace coalescope::kernels {

/// Whether a kernel makes integers of real numbers, which then may be indices: `floorf(x)`, `int(p.x / h)`, `(int)(x[i] * scale)`, or
/// `(int)x` of a variable that is declared as float, double or half. A scan of tokens: what a kernel's own scalar parameters make does not count.
[[nodiscard]] bool makesIntegers(std::span<const std::string> deviceCode);

} // namespace coalescope::kernels
