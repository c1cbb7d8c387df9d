// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/compile/kernel_declarations.h"

#include <span>

namespace coalescope::kernels {

/// What a launch makes of a template's parameters: those that it is `given` (in the source's words, or the host's), then those that follow from the
/// `types` of its arguments as C++ writes them, empty where they are not known. What does not follow is empty; of a pack at the end there
/// are as many as it stands for. Parameters with a default that nothing else tells end the list.
[[nodiscard]] std::vector<std::string> templateArgumentsBy(const KernelDeclaration& kernel, std::vector<std::string> given, std::span<const std::string> types);

/// The one of several kernels of a name that a launch with arguments of these `types` means; a pointer to something unknown is "*". Null: there is none of that name.
/// `entry`: with template arguments, if the launch writes any.
[[nodiscard]] const KernelDeclaration* launchedKernel(std::span<const KernelDeclaration> kernels, std::string_view entry, std::span<const std::string> types);

/// The kernel as it is launched with so many arguments: `Fs... fs` becomes `Fs_1 fs`, `Fs_2 fs`, and so do the template's parameters. Of a kernel without
/// a pack: the kernel.
[[nodiscard]] KernelDeclaration withoutPack(const KernelDeclaration& kernel, std::size_t arguments);

/// The parameter that an argument is for, which may be one of many that a pack stands for; null: none.
[[nodiscard]] const std::string* parameterFor(const KernelDeclaration& kernel, std::size_t argument);

} // namespace coalescope::kernels
