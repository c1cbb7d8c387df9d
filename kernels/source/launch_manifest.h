// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"
#include "kernels/compile/kernel_declarations.h"
#include "kernels/source/launches.h"

namespace coalescope::kernels {

/// A manifest made of a launch that was read out of a program.
struct LaunchManifest {
    std::string text; ///< TOML, without the comment around it
    std::vector<Guess> guesses; ///< what the program does not say
    std::string problem; ///< why the launch cannot be made from it: it "does not tell what 'p' (Params) holds"; empty: it can
};

/// Writes the manifest of a launch: values with a name become parameters, also those that only the kernel sees, and a
/// block's size that the grid is divided by.
///
/// Shapes: `deviceCode` is what deviceParts() keeps for this kernel alone.
[[nodiscard]] LaunchManifest launchManifest(const ProgramLaunches& program, const ProgramLaunch& launch, const KernelDeclaration& kernel,
    std::span<const std::string> deviceCode, const std::string& fileName);

} // namespace coalescope::kernels
