// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/experiment/line_file.h"
#include "kernels/experiment/sweep.h"

#include <map>
#include <utility>

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
    /// Launches that the file already held, by all their parameters.
    [[nodiscard]] const std::map<ParameterValues, SweepRow>& rows() const { return m_rows; }

    /// Adds a line; it is on the disk when this returns.
    ///
    /// Errors: FileFailed; the file is then as it was before.
    [[nodiscard]] Result<void> append(const SweepRow& row);

private:
    explicit SweepJournal(LineFile file)
        : m_file(std::move(file))
    {
    }
    Result<void> load(const std::string& head);

    LineFile m_file;
    std::map<ParameterValues, SweepRow> m_rows;
};

} // namespace coalescope::kernels
