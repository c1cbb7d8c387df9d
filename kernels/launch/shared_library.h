// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace coalescope::kernels {

/// A library loaded at run time; it stays loaded until the program ends.
struct SharedLibrary {
    void* handle = nullptr;
    std::string path; ///< the candidate that opened
};

/// Opens the first candidate that the dynamic linker takes.
[[nodiscard]] std::optional<SharedLibrary> openLibrary(const std::vector<std::string>& candidates);

/// The address of a symbol, or null.
[[nodiscard]] void* symbolIn(void* library, const char* name);

/// Where CUPTI may lie, best first: beside the program, $CUDA_HOME and $CUDA_PATH, the dynamic linker's
/// path, /usr/local/cuda*, the folders of pip and conda packages' kind.
[[nodiscard]] std::vector<std::string> cuptiCandidates();

} // namespace coalescope::kernels
