// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/host/values.h"

#include <optional>
#include <string_view>

namespace coalescope::kernels::host {

/// What std::plus, std::greater and their kin do; nothing: it is none of them.
[[nodiscard]] std::optional<Arithmetic> operationOf(std::string_view functionObject);

} // namespace coalescope::kernels::host
