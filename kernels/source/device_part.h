// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
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
    bool isUnit = false; ///< one of several that are compiled apart
    bool isLibrary = false; ///< none of the user's: see tensorLibrary()
    std::filesystem::path path = {};
};

/// What the compiler for kernels is to see of a program: its kernels and what they need. All else is blank, so that lines
/// and columns stay as they are.
///
/// Kept are __global__ functions, and the functions, types, variables and names that they, or `mentioned`, lead to. Of what
/// is kept, member functions that only the host can compile are left out. Lines of the preprocessor stay, but for the
/// #include of what kernels cannot use.
///
/// Shapes: a text for each file, of as many lines; each as long as its own, but where macros make kernels: see withKernelMacros(). `onlyKernel`: of all kernels those of this name; empty: all.
[[nodiscard]] std::vector<std::string> deviceParts(
    std::span<const ProgramFile> files, std::string_view mentioned, std::string_view onlyKernel = {});

/// Values of macros and constants, by name.
using GivenValues = std::map<std::string, std::string, std::less<>>;

/// Puts these values, of the command line or a parameter, where the file has its own: `#define NAME value`, `constexpr int NAME = value;`.
/// There, and not before all, for headers that come before may use the name for something else.
///
/// Shapes: lines stay lines. A #define that depends on #if is blanked. `found` gets the names that have their value here, and need none
/// from before.
[[nodiscard]] std::string withValues(std::string_view source, const GivenValues& values, std::set<std::string>& found);

/// Gives variables of the GPU's memory (`__constant__`, `__device__`) an initialiser: what the host copies there before it launches.
///
/// Shapes: lines stay lines. One that is there is replaced. `found` gets the names that are declared here.
[[nodiscard]] std::string withInitialisers(
    std::string_view source, std::span<const std::pair<std::string, std::string>> values, std::set<std::string>& found);

} // namespace coalescope::kernels
