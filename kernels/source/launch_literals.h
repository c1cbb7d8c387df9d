// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/launches.h"
#include "kernels/source/parameter_types.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace coalescope::kernels {

/// An integer that a launch is given as a literal: `strided<<<...>>>(in, out, n, 5)`.
struct LaunchLiteral {
    std::string name; ///< that the kernel has for it
    std::int64_t value, most; ///< what it is, and may be
    bool isUnsigned;
};

/// Those of integer parameters that one may want to try: no masks, and none whose name another has. `arguments`: what each parameter is given;
/// `taken`: other names.
[[nodiscard]] std::vector<LaunchLiteral> literalsOf(
    std::span<const KernelParameter> parameters, std::span<const LaunchArgument> arguments, const std::set<std::string, std::less<>>& taken);

/// Blocks of so many threads, one for each thread or each block of a literal; the count as it is where it is of none, or may be of several.
[[nodiscard]] Symbolic blocksOver(std::span<const LaunchLiteral> literals, const Symbolic& count, std::int64_t threads);

/// A constant as the product of up to three literals; itself where it is of none.
[[nodiscard]] Symbolic productOf(std::span<const LaunchLiteral> literals, const Symbolic& count);

} // namespace coalescope::kernels
