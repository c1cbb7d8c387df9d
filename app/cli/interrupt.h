// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <thread>

namespace coalescope::cli {

/// While it lives, the first Ctrl-C (or SIGTERM) asks long work to stop; the second ends the
/// program.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
    /// The signal that came; 0: none.
    [[nodiscard]] static int signal();

private:
    std::stop_source m_stop;
    int m_ends[2] = { -1, -1 }; ///< a pipe: a signal handler may write to it, but not wake a thread
    std::jthread m_watcher;
};

} // namespace coalescope::cli
