// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/compile/nvrtc.h"

namespace coalescope::kernels {

/// One error or warning of a compiler's log.
struct Diagnostic {
    std::string file; ///< as the compiler names it
    int line = 0, column = 0; ///< column 0: unknown
    bool isError = false;
    std::string message;
};

/// Reads NVRTC's `file(12): error: ...` and clang's `file:12:5: error: ...`.
[[nodiscard]] std::vector<Diagnostic> diagnosticsOf(std::string_view log);

/// Why the plan did not compile: the entry is not there, or the source is wrong.
///
/// Shapes: CompileFailed has the first error, a line break, and the rest of the log without warnings as detail.
[[nodiscard]] Error compileError(const LaunchPlan& plan, std::string_view log);

/// EntryNotFound for an entry that is missing, or left out where there is a choice, or lacks a template's
/// arguments. `why`: the compiler's word on an entry that there is.
[[nodiscard]] Error missingEntry(const LaunchPlan& plan, const std::string& why = {});

[[nodiscard]] std::vector<std::string> warningsOf(std::string_view log);

/// The plan's entry without namespaces and template arguments: "tile" of "ns::tile<float, 32>".
[[nodiscard]] std::string baseName(std::string_view entry);

} // namespace coalescope::kernels
