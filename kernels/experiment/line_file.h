// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"

#include <string>
#include <string_view>

namespace coalescope::kernels {

/// A text file that grows by whole lines. Only one process at a time has it open.
class LineFile {
public:
    /// Opens the file, or makes it.
    ///
    /// Errors: FileFailed; `name` is what a sentence calls it: "journal".
    [[nodiscard]] static Result<LineFile> open(std::string path, std::string name);
    LineFile(LineFile&& other) noexcept;
    LineFile& operator=(LineFile&&) = delete;
    ~LineFile();

    /// All that the file holds; its last line may lack an end.
    ///
    /// Errors: FileFailed.
    [[nodiscard]] Result<std::string> content() const;

    /// Cuts the file off after so many bytes, such as before a line that a killed process left
    /// without its end.
    ///
    /// Errors: FileFailed.
    [[nodiscard]] Result<void> cutAt(std::size_t bytes);

    /// Adds a line; it is on the disk when this returns.
    ///
    /// Errors: FileFailed; the file is then as it was before.
    [[nodiscard]] Result<void> append(std::string line);

    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    LineFile(std::string path, std::string name, int descriptor);
    [[nodiscard]] std::unexpected<Error> failed(const char* what) const;

    std::string m_path, m_name;
    int m_descriptor = -1;
};

} // namespace coalescope::kernels
