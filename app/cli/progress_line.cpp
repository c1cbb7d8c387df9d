// SPDX-License-Identifier: Apache-2.0
#include "app/cli/progress_line.h"

#include <fmt/format.h>

#include <cstdio>

#include <unistd.h>

namespace coalescope::cli {

ProgressLine::ProgressLine()
    : m_terminal(isatty(STDERR_FILENO) == 1)
{
}

void ProgressLine::show(double fraction, std::string_view stage)
{
    if (!m_terminal)
        return;
    fmt::print(stderr, "\r\x1b[K{:3.0f} %  {}", 100 * fraction, stage);
    std::fflush(stderr);
}

void ProgressLine::clear()
{
    if (m_terminal)
        fmt::print(stderr, "\r\x1b[K");
}

ProgressLine::~ProgressLine() { clear(); }

} // namespace coalescope::cli
