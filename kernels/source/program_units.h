// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"

namespace coalescope::kernels {

/// The files of a program that are compiled apart.
struct ProgramUnits {
    std::filesystem::path own; ///< of the file that was asked for; of a header: the one with main
    std::string source; ///< its text
    std::vector<std::filesystem::path> others;
};

/// Finds the units of the program that a plan's file belongs to, in its folder, folders of that, and, for a file without main, the folder
/// above and folders of that.
///
/// A unit belongs to it that defines a function which another, or a header of it, declares and none defines, if it lies beside that or
/// includes a header of the program. Where the file has no main, the
/// program is the first one found whose main leads to the file. Work is bounded: 200 files of at most 1 MiB, 64 a folder.
[[nodiscard]] ProgramUnits programUnits(const LaunchPlan& plan);

} // namespace coalescope::kernels
