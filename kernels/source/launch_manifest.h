// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"
#include "kernels/compile/kernel_declarations.h"
#include "kernels/host/contents.h"
#include "kernels/source/launches.h"

#include <functional>

namespace coalescope::kernels {

/// A launch whose manifest is made.
struct WrittenLaunch {
    std::string title; ///< as KernelSpec::title; empty: it could not be read
    std::map<int, std::string> buffers; ///< of the program that its kernel may write to, and what its arguments call them
};

/// A manifest made of a launch that was read out of a program.
struct LaunchManifest {
    std::string text; ///< TOML, without the comment around it
    std::map<int, std::string> buffers; ///< see WrittenLaunch
    std::set<std::string> written; ///< see KernelSpec
    bool isLeft = false; ///< some of its buffers hold what an earlier launch leaves in them
    std::vector<Guess> guesses; ///< what the program does not say
    std::set<std::string> examples; ///< buffers that are as large as a made-up tensor of which perhaps not all sizes are known
    std::string problem; ///< why the launch cannot be made from it: it "does not tell what 'p' (Params) holds"; empty: it can
};

/// What following the host code tells. Takes a second or two when it is asked for the first time.
using AskHost = std::function<const HostContents&()>;

/// A text as TOML has it.
[[nodiscard]] std::string inQuotes(std::string_view text);

/// Writes the manifest of a launch: values with a name become parameters, also those that only the kernel sees, and a
/// block's size that the grid is divided by.
///
/// Shapes: `deviceCode` is what deviceParts() keeps for this kernel alone; `earlier` has those of the launches before this one, by their places.
[[nodiscard]] LaunchManifest launchManifest(const ProgramLaunches& program, const ProgramLaunch& launch, const KernelDeclaration& kernel,
    std::span<const std::string> deviceCode, const std::string& fileName, const AskHost& askHost = {}, std::span<const WrittenLaunch> earlier = {});

} // namespace coalescope::kernels
