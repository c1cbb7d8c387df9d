// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

/// A library loaded at run time; it stays loaded until the program ends.
struct SharedLibrary {
    void* handle = nullptr;
    std::string path; ///< the candidate that opened
};

/// Opens the first candidate that the dynamic linker takes.
[[nodiscard]] std::optional<SharedLibrary> openLibrary(const std::vector<std::string>& candidates);

/// A function of a library, and where its address stands in the table that the program calls it by.
struct LibrarySymbol {
    const char* name;
    std::size_t offset; ///< bytes into the table
    bool required = true;
};

/// Writes the addresses into the table; null for a function that is not there. Returns the first required one that is missing, or null.
[[nodiscard]] const char* fillTable(const SharedLibrary& library, std::span<const LibrarySymbol> symbols, void* table);

/// What a library's result code means to the user.
struct CodeMeaning {
    int code;
    ErrorCode error;
    std::string_view meaning;
};

/// Where CUPTI may lie, best first: beside the program, $CUDA_HOME and $CUDA_PATH, the dynamic linker's
/// path, /usr/local/cuda*, the folders of pip and conda packages' kind.
[[nodiscard]] std::vector<std::string> cuptiCandidates();

} // namespace coalescope::kernels
