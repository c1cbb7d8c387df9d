// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/source/tokens.h"

#include <span>

namespace coalescope::kernels {

/// Whether a header is one that kernels can use: of the CUDA toolkit's, of this program's stand-ins for the C++ library's.
[[nodiscard]] bool isHeaderForKernels(std::string_view header);

/// Whether a header is known to be for the host: of the C and C++ libraries, of the system, of CUDA's libraries.
[[nodiscard]] bool isHeaderForHost(std::string_view header);

/// Whether the code can only be the host's: it launches a kernel, calls the CUDA runtime, or uses what of std kernels have not.
[[nodiscard]] bool isForHost(std::span<const Token> code);

/// The name in an #include line; empty where it is none, or a macro's.
[[nodiscard]] std::string_view includedName(const Token& directive);

} // namespace coalescope::kernels
