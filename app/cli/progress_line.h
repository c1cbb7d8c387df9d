// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace coalescope::cli {

/// One line on the terminal that the next one overwrites; silent where stderr is no terminal.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(double fraction, std::string_view stage);
    /// Makes room for another text.
    void clear();

private:
    bool m_terminal;
};

} // namespace coalescope::cli
