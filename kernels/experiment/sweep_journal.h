// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/sweep.h"

#include <map>

namespace coalescope::kernels {

/// What a measuring sweep has finished, in a file: a line of JSON about the kernel and how it is
/// measured, then a line a launch. Only one process at a time has it open.
class SweepJournal {
public:
    /// Opens the file, or makes it. A last line that a killed run left without its end is cut off.
    ///
    /// Errors: FileFailed; BadInput where it is another kernel's or another file altogether, with
    /// FILE:LINE
    ///         where a line is damaged.
    [[nodiscard]] static Result<SweepJournal> open(
        const std::string& path, const KernelSpec& kernel, const MeasureOptions& options);
    SweepJournal(SweepJournal&& other) noexcept;
    SweepJournal& operator=(SweepJournal&&) = delete;
    ~SweepJournal();

    /// Launches that the file already held, by all their parameters.
    [[nodiscard]] const std::map<ParameterValues, SweepRow>& rows() const { return m_rows; }

    /// Adds a line; it is on the disk when this returns.
    ///
    /// Errors: FileFailed; the file is then as it was before.
    [[nodiscard]] Result<void> append(const SweepRow& row);

private:
    SweepJournal(std::string path, int descriptor)
        : m_path(std::move(path))
        , m_descriptor(descriptor)
    {
    }
    Result<void> load(const std::string& head);
    Result<void> write(std::string line);

    std::string m_path;
    int m_descriptor = -1;
    std::map<ParameterValues, SweepRow> m_rows;
};

} // namespace coalescope::kernels
