// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/decode.h"

#include <optional>
#include <string>
#include <string_view>

namespace coalescope::kernels {

/// A variable of the module as the source has it: of a mangled name what the last length stands before.
[[nodiscard]] std::string plainName(const std::string& symbol);

/// Which of a program's symbols a variable of the source is, in global or constant memory; nothing: the kernel does not use it.
[[nodiscard]] std::optional<std::size_t> symbolNamed(const analysis::Program& program, std::string_view variable);

/// What the compiler adds, and no launch changes: the texts that printf() is given, the digits of 2 / pi that sinf() reads.
[[nodiscard]] bool isOfCompiler(const analysis::Symbol& symbol);

/// Makes buffers of the launch of what a program has in global memory, behind those that it is given: to what is made of a launch these are
/// no less memory than those.
void takeVariables(std::shared_ptr<const analysis::Program>& program, analysis::Launch& launch);

/// As decode(), with what the plan says that variables of the module hold, as far as that can be worked out; else with what they start with.
[[nodiscard]] Result<DecodedPlan> decodeToLaunch(const LaunchPlan& plan, const PredictOptions& options);

} // namespace coalescope::kernels
