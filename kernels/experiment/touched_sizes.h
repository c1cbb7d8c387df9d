// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"

#include <map>
#include <optional>
#include <string>

namespace coalescope::kernels {

/// How much memory a launch needs, as expressions of its parameters.
struct TouchedSizes {
    std::map<std::string, std::string> counts; ///< elements, by the buffer's name; those that could be told
    std::map<std::string, std::uint64_t> times; ///< of buffers that reach so many times as far as they are large, with both sets of parameters
    std::optional<std::string> blocks; ///< along x, where the launch has more than touch anything
    std::optional<std::string> sharedBytes; ///< of the dynamic shared memory
    bool leavesShared = false; ///< threads reach beyond the shared arrays
    bool isSlow = false; ///< with the parameters' defaults, one block cannot be executed in a second, or there are a million of them: nothing else is told
    std::uint64_t instructions = 0; ///< that were executed, of warps
};

/// Executes the first and the last blocks along each axis, in as much memory as they want, with two sets of parameters, and looks for
/// products of these that are as large as what they touch both times. What data lead to is not seen: buffers hold zeros.
/// `mostInstructions`: of warps; what takes more is not told.
[[nodiscard]] TouchedSizes touchedSizes(const KernelSpec& kernel, std::uint64_t mostInstructions);

} // namespace coalescope::kernels
