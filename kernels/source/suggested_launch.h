// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"
#include "kernels/compile/kernel_declarations.h"

#include <string>

namespace coalescope::kernels {

/// What a launch that was suggested before tells.
struct SuggestedBefore {
    const LaunchPlan* plan = nullptr; ///< where the members of structures lie
    std::uint32_t mostThreads = 1024; ///< that the kernel's shared arrays have room for
    std::size_t instance = 0; ///< which of a template's instantiations in its file
    std::string arguments = {}; ///< of the template that are asked for, "float,64"; empty: the instance's
    int smaller = 0; ///< sizes that take less time: how often less than usual
};

/// How often the file instantiates a kernel's template, each a kernel of its own, up to four; 1 of any other.
[[nodiscard]] std::size_t instancesOf(const LaunchPlan& unit, const KernelDeclaration& kernel);

/// Host code that launches a kernel which nothing in its program launches, with the block and the grid that its own code asks for: a
/// function with the kernel's parameters, to be put behind the file. Compiles the kernel, a template with the values of its
/// instantiation in the file, or with examples.
///
/// Shapes: `unit` is the file that holds the kernel, with its source.
[[nodiscard]] std::string suggestedLaunch(const LaunchPlan& unit, const KernelDeclaration& kernel, const SuggestedBefore& known = {});

} // namespace coalescope::kernels
