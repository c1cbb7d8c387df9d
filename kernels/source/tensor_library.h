// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/device_part.h"

#include <string>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

/// Whether a header is of the libraries that PyTorch's extensions are written with: "torch/extension.h", "ATen/cuda/CUDAContext.h".
[[nodiscard]] bool isTensorHeader(std::string_view name);

/// What the CUDA runtime has for memory of three dimensions, as host code, where the text names some of it; else empty.
[[nodiscard]] std::string_view runtimeLibraryFor(std::string_view text);

/// Host code that stands for those headers where host code is read: tensors, and, where the program has no main, one that calls each of its
/// functions of tensors that launches, and that no other calls, with tensors of guessed shapes. What the functions ask of a tensor tells its
/// rank, its type, what its sizes are called and which of them are alike; numbers are guessed by their names.
[[nodiscard]] std::string tensorLibrary(std::vector<ProgramFile> files);

} // namespace coalescope::kernels
