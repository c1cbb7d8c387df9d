// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coalescope::kernels {

/// Whether a source has code that only a compiler for the host takes: main, launches, calls of the CUDA runtime, headers
/// of the host.
[[nodiscard]] bool holdsHostCode(std::string_view source);

/// A file of a program.
struct ProgramFile {
    std::string_view text;
    std::vector<std::string> names; ///< in the #include lines that mean it; of the file that is compiled: none
};

/// What the compiler for kernels is to see of a program: its kernels and what they need. All else is blank, so that lines
/// and columns stay as they are.
///
/// Kept are __global__ functions, and the functions, types, variables and names that they, or `mentioned`, lead to. Of what
/// is kept, member functions that only the host can compile are left out. Lines of the preprocessor stay, but for the
/// #include of what kernels cannot use.
///
/// Shapes: a text for each file, each as long as its own. `onlyKernel`: of all kernels those of this name; empty: all.
[[nodiscard]] std::vector<std::string> deviceParts(
    std::span<const ProgramFile> files, std::string_view mentioned, std::string_view onlyKernel = {});

/// Blanks what gives one of these names a value in the file, a `#define NAME value` or a `constexpr int NAME = value;`, so
/// that the value given on the command line, or by a parameter, stands.
[[nodiscard]] std::string withoutValues(std::string_view source, std::span<const std::string_view> names);

/// Gives variables of the GPU's memory (`__constant__`, `__device__`) an initialiser: what the host copies there before it launches.
///
/// Shapes: lines stay lines. One that is there is replaced. `found` gets the names that are declared here.
[[nodiscard]] std::string withInitialisers(
    std::string_view source, std::span<const std::pair<std::string, std::string>> values, std::set<std::string>& found);

} // namespace coalescope::kernels
