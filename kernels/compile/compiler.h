// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"
#include "kernels/catalogue/kernel_spec.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

enum class CompilerKind : std::uint8_t { Automatic, Nvrtc, Clang };

struct CompileOptions {
    CompilerKind compiler = CompilerKind::Automatic; ///< Automatic: NVRTC, else clang
    int computeMajor = 9, computeMinor = 0;
    bool registers = false; ///< also make machine code, where that can be, and read what it tells
};

struct CompiledPtx {
    std::string ptx;
    std::string entry; ///< mangled name of the plan's entry
    std::string compiler; ///< "NVRTC 13.0", "clang 14.0.6"
    std::optional<int> registersPerThread; ///< nothing where they were not asked for, with clang, and
                                           ///< where NVRTC makes no machine code for this GPU
    std::string machineCode; ///< of the entry, 16 bytes an instruction; empty where registers are not known
    double milliseconds = 0; ///< 0 where it came from a cache
    std::vector<std::string> warnings;
};

/// Compiles the plan's source to PTX with line info. Results are cached by source, defines, entry and
/// options: in memory, and in files for later runs (see PtxStore). Thread-safe. An empty entry means the file's only kernel.
///
/// The PTX's `.file` table names the source by the plan's sourceName, perhaps behind a directory: compare
/// the last part. A file that the source includes has its own name there.
///
/// Errors: NoCompiler, CompileFailed (`detail` = the first error, a line break, the whole log;
///         `where` = FILE:LINE or FILE:LINE:COLUMN), EntryNotFound with the kernels there are, BadInput
///         (an included file that is no regular file or is too large).
[[nodiscard]] Result<CompiledPtx> compileToPtx(const LaunchPlan& plan, const CompileOptions& options = {});

struct CompiledCubin {
    std::vector<char> image;
    std::string entry;
    bool isCooperative = false; ///< blocks meet at the grid's barrier, which only a cooperative launch has
};

/// Compiles the same source with the same options to machine code with line info. NVRTC only.
[[nodiscard]] Result<CompiledCubin> compileToCubin(const LaunchPlan& plan, const CompileOptions& options);

} // namespace coalescope::kernels
