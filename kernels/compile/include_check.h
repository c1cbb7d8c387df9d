// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"
#include "kernels/source/device_part.h"

namespace coalescope::kernels {

/// A file of the user's that the source includes, directly or not.
struct IncludedFile {
    std::filesystem::path path;
    std::uintmax_t bytes = 0;
    std::int64_t modified = 0;
    std::vector<std::string> names; ///< as the #include lines have it
    std::string text;
    bool isUnit = false; ///< none that is included, but one of CompileSettings::sources
};

/// What the source's #include lines say.
struct Includes {
    std::vector<IncludedFile> files;
    std::vector<std::string> elsewhere; ///< names of no file of the user's: a toolkit's, or missing
    std::string library; ///< of a program, what stands for headers of a library that it is written with: see tensorLibrary()
    bool complete = true; ///< false: more may be read, by an #include of a macro or a __has_include
};

/// Follows the plan's #include lines through the user's own files.
///
/// NVRTC works inside this process and would read a device or a pipe for ever, so what is included must be
/// a regular file of at most 16 MiB. An #include whose name a macro makes is not seen.
///
/// Errors: BadInput with `where` = FILE:LINE.
[[nodiscard]] Result<Includes> includesOf(const LaunchPlan& plan);

/// The same for a program of several units: the plan's file, its CompileSettings::sources, and what they include.
[[nodiscard]] Result<Includes> programIncludesOf(const LaunchPlan& plan);

/// The program's units and what they include, as launchesOf() takes them: in the same order whichever of the units is the plan's, the one
/// with main first. Both arguments must outlive what comes back.
[[nodiscard]] std::vector<ProgramFile> programFiles(const LaunchPlan& plan, const Includes& includes);

/// Whether a text has the function that a program starts with.
[[nodiscard]] bool definesMain(std::string_view text);

} // namespace coalescope::kernels
