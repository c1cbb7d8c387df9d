// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace coalescope::cli {

/// Prints the whole text to standard output and returns the exit status: `status`, or that of a
/// failed write (a full disk), which it reports.
int printResult(std::string_view text, int status = 0);

/// Writes beside the target and renames, so that a failure leaves the old file and no half of a
/// new.
///
/// Errors: FileFailed.
[[nodiscard]] Result<void> writeFile(const std::filesystem::path& path, std::string_view text);

/// A kernel file's text, without its byte-order mark.
///
/// Errors: FileFailed; BadInput where it is larger than any source.
[[nodiscard]] Result<std::string> readSourceFile(const std::filesystem::path& path);

} // namespace coalescope::cli
