// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/host_program.h"
#include "kernels/source/launches.h"

#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace coalescope::kernels {

/// What a name in the host's code is worth, or a member behind it, by its token; nothing where that is not known.
using ValueOfToken = std::function<std::optional<double>(std::size_t)>;

/// What the host's code assigns to the items of the array that is called so at a token of a function: `h[i] = rand() / (float)RAND_MAX`,
/// the same in a function that the array is given to, or gets it from, in a loop over it, by std::fill or std::generate, pushed back, or
/// where it is made; also `h[i] = 4 * i + 1`. Nothing is run: intervals are worked out from the text. Nothing where no assignment is found,
/// or where of several that draw nothing one is not read. `calls`: those being followed, the innermost last; of a function that is not among
/// them, all callers count.
[[nodiscard]] std::optional<RealRange> realsAssigned(
    const HostProgram& program, std::string_view array, std::size_t at, const ValueOfToken& valueOf, std::span<const CallSite> calls = {});

} // namespace coalescope::kernels
