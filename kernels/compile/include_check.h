// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/catalogue/kernel_spec.h"

namespace coalescope::kernels {

/// A file of the user's that the source includes, directly or not.
struct IncludedFile {
    std::filesystem::path path;
    std::uintmax_t bytes = 0;
    std::int64_t modified = 0;
};

/// Follows the plan's #include lines through the user's own files.
///
/// NVRTC works inside this process and would read a device or a pipe for ever, so what is included must be
/// a regular file of at most 16 MiB. An #include whose name a macro makes is not seen.
///
/// Errors: BadInput with `where` = FILE:LINE.
[[nodiscard]] Result<std::vector<IncludedFile>> includedFiles(const LaunchPlan& plan);

} // namespace coalescope::kernels
