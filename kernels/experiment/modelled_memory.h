// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/argument_parts.h"
#include "kernels/experiment/left_contents.h"

#include <utility>
#include <vector>

namespace coalescope::kernels {

/// Where the memory of a modelled launch lies, and what it holds.
struct ModelledMemory {
    BufferContents contents; ///< with the addresses in it as they are here
    std::vector<std::uint64_t> own = {}; ///< addresses of the arguments' buffers, in their order, without those that are the same as another
    BufferAddresses placed = {};
    std::vector<std::pair<BufferPlan, std::uint64_t>> pointed = {}; ///< other memory, that addresses in buffers lead to; with its address
};

/// Lays buffers out as cudaMalloc would: see modelledLaunch(). Follows the host code where a buffer holds addresses. Errors: as BufferContents::bytes().
[[nodiscard]] Result<ModelledMemory> modelledMemory(const LaunchPlan& plan, std::stop_token stop);

} // namespace coalescope::kernels
