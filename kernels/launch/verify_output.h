// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/launch/gpu_session.h"

#include <optional>
#include <span>
#include <string>

namespace coalescope::kernels {

struct OutputCheck {
    std::optional<bool> verified; ///< absent: the plan has no reference
    std::string detail; ///< what was compared, or what is wrong, or why nothing was compared
};

/// Compares an output's bytes with the plan's reference, element by element, bit by bit.
///
/// `input` holds the input buffer's initial bytes. Elements without a source must keep their fill.
[[nodiscard]] Result<OutputCheck> compareOutput(
    const LaunchPlan& plan, std::span<const std::uint8_t> output, std::span<const std::uint8_t> input);

/// Reads the output back from the GPU and compares it.
[[nodiscard]] Result<OutputCheck> verifyOutput(const LaunchPlan& plan, const GpuSession& session);

} // namespace coalescope::kernels
