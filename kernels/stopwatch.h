// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace coalescope::kernels {

/// Wall-clock time since construction.
class Stopwatch {
public:
    [[nodiscard]] double milliseconds() const
    {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - m_start)
            .count();
    }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

} // namespace coalescope::kernels
