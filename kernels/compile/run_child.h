// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace coalescope::kernels {

struct ChildResult {
    int status = 0; ///< exit status; 128 + signal where a signal ended it
    std::string output; ///< stdout and stderr together, at most 4 MiB
};

/// Runs a program without a shell, with no input, messages in English.
///
/// Errors: TimedOut (the program and what it started are killed), NoCompiler where it cannot start.
[[nodiscard]] Result<ChildResult> runChild(
    const std::vector<std::string>& arguments, std::chrono::milliseconds limit);

/// A directory of its own, removed with everything in it.
class TemporaryDirectory {
public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    /// Empty where none could be made.
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

} // namespace coalescope::kernels
