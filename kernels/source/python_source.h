// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace coalescope::kernels {

/// Whether a file is a Python program, whose CUDA source stands in strings, as CuPy, PyCUDA and PyTorch's load_inline() take it.
[[nodiscard]] bool isPython(const std::filesystem::path& file);

/// The CUDA source of a Python program: what stands in its strings of three quotes that hold kernels, launches or functions for the GPU. What
/// formats such a string (`%`, an `f` before it) is followed where it names numbers of the program.
///
/// Shapes: lines keep their numbers; all else is blank.
[[nodiscard]] std::string cudaOfPython(std::string_view program);

} // namespace coalescope::kernels
