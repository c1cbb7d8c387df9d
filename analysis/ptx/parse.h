// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/program.h"
#include "analysis/result/error.h"

#include <string_view>

namespace coalescope::analysis {

/// Decodes one kernel of a PTX module.
///
/// `entry` is the mangled name; empty where the module has exactly one kernel.
///
/// Errors: BadInput with `where` = "ptx:LINE:COLUMN" and the line with a caret in `detail`;
///         UnsupportedInstruction likewise; EntryNotFound lists the kernels there are.
/// Source: PTX ISA 9.0.
[[nodiscard]] Result<Program> parsePtx(std::string_view text, std::string_view entry = {});

} // namespace coalescope::analysis
