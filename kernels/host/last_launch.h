// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/host_program.h"

#include <optional>

namespace coalescope::kernels::host {

/// The end of the last statement of main's body that a launch may come from: of a launch itself, or of a call of what launches. Behind it nothing is
/// launched any more. Nothing: it is not known, as where what launches is handed on by its name.
[[nodiscard]] std::optional<std::size_t> lastLaunching(const HostProgram& program, const HostFunction& main);

} // namespace coalescope::kernels::host
