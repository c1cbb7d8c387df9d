// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/register_forms.h"

#include <functional>
#include <set>
#include <string>

namespace coalescope::analysis {

/// What a kernel's code says of the launches that it is written for.
struct LaunchHints {
    struct Axis {
        bool hasThreads = false, hasBlocks = false; ///< the code asks for a place along it
        std::uint32_t threads = 0; ///< of a block; 0: unsaid
        /// What the blocks' part of an index is compared with, or as long as a row of what they index, as C has it; empty: unsaid.
        std::string limit;
        std::uint64_t perBlock = 1; ///< how much of it is a block's, or a thread's of its own
        int threadsAlong = -1; ///< the axis by whose threads that is multiplied; -1: none
        std::uint32_t threadsEach = 1; ///< so many of these share one: 32 where a warp has a row
    };
    std::array<Axis, 3> axes;
    std::uint32_t threads = 0; ///< of a block at most, as the code says; 0: unsaid
    std::set<std::uint32_t> read, bounding; ///< offsets of parameters that are loaded, and that something is compared with
};

/// Reads them off comparisons of indices, off what indices are made of, and off the sizes of shared arrays that threads index: guesses, for
/// a kernel that nobody launches. `name`: what a parameter at an offset is called in an expression; empty: none.
[[nodiscard]] LaunchHints launchHints(const Program& program, const std::function<std::string(std::uint32_t offset)>& name);

} // namespace coalescope::analysis
