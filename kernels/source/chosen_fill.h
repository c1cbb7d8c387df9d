// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/launch_manifest.h"
#include "kernels/source/parameter_types.h"

#include <functional>
#include <optional>
#include <span>
#include <string>

namespace coalescope::kernels {

/// A launch, and what its kernel's code is read with.
struct KernelCode {
    const ProgramLaunches& program;
    const ProgramLaunch& launch;
    const KernelDeclaration& kernel;
    const TypeNames& types;
    std::span<const std::string> deviceCode;
};

/// A buffer as its kernel gets it.
struct FilledBuffer {
    const KernelParameter& parameter;
    const std::string &element, &name; ///< type of an element, "f32"; the buffer's name in the manifest
    const Symbolic& count; ///< elements
};

struct ChosenFill {
    std::string fill; ///< as a manifest has it; empty: zeros
    std::optional<Guess::Kind> guessed;
    std::string bound; ///< of what is guessed
};

/// What a buffer is filled with: as the program does it as far as its text says, else by how the kernel uses it. `buffer` null: the
/// program's is not known. `textOf` writes a number by the manifest's names.
[[nodiscard]] ChosenFill chosenFill(
    const KernelCode& code, const ProgramBuffer* buffer, const FilledBuffer& filled, const std::function<std::string(const Symbolic&)>& textOf);

} // namespace coalescope::kernels
