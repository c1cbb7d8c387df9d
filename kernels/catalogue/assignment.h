// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"

#include <string>
#include <utility>

namespace coalescope::kernels {

/// `NAME=VALUE` in two.
///
/// Errors: WrongUsage with `where` = the option that the text belongs to.
[[nodiscard]] Result<std::pair<std::string, std::string>> assignmentOf(
    const std::string& text, const char* option);

} // namespace coalescope::kernels
