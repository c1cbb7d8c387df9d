// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/compile/kernel_declarations.h"

#include <string>
#include <string_view>

namespace coalescope::kernels {

/// True where a file's text holds no manifest: it can be opened once it has one.
[[nodiscard]] bool lacksManifest(std::string_view source);

/// A manifest as it stands in a file: the comment around its TOML.
[[nodiscard]] std::string manifestComment(const std::string& toml);

/// A manifest to start from, for the file's first kernel: a comment to be put at its top.
[[nodiscard]] std::string manifestTemplate(std::string_view source);

/// The same for a kernel of that file.
[[nodiscard]] std::string manifestTemplate(const KernelDeclaration& kernel, std::string_view source);

} // namespace coalescope::kernels
