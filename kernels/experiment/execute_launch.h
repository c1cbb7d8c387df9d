// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"
#include "kernels/host/contents.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace coalescope::kernels {

inline constexpr std::uint64_t kMostBytesExecuted = 256u << 20; ///< of the buffers of a launch that is executed for what it leaves

/// Interprets a program's launches as its host code makes them: each with the sizes, numbers and memory that it has then.
///
/// Memory that nobody knows is filled twice, each time with other values: what comes out the same depends on none of them, and is known.
/// Not known is what a launch leaves whose kernel writes to variables of the module, or which takes more instructions or memory than there may be.
/// `mostInstructions`: of warps, of all launches together. One thread at a time.
[[nodiscard]] std::unique_ptr<LaunchExecutor> launchExecutor(std::vector<ProgramLaunchPlan> launches, std::uint64_t mostInstructions, std::stop_token stop);

} // namespace coalescope::kernels
