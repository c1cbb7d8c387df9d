// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program.h"

#include <csignal>
#include <cstdlib>

namespace coalescope::cli {

/// A terminal that a program writes to.
class Terminal {
public:
    Terminal()
        : m_end(posix_openpt(O_RDWR | O_NOCTTY))
    {
        EXPECT_TRUE(m_end >= 0 && grantpt(m_end) == 0 && unlockpt(m_end) == 0);
    }
    ~Terminal() { close(m_end); }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    [[nodiscard]] std::string path() const { return ptsname(m_end); }

    /// All that was written, once this is among it; less where the program ends before.
    const std::string& readUntil(std::string_view text)
    {
        char bytes[256];
        for (ssize_t size = 0; m_shown.find(text) == std::string::npos && (size = read(m_end, bytes, sizeof bytes)) > 0;)
            m_shown.append(bytes, std::size_t(size));
        return m_shown;
    }

private:
    int m_end;
    std::string m_shown;
};

/// Interrupts a program, which then ends as interrupted with the sentence on its terminal.
inline void expectInterrupted(Process& process, Terminal& terminal, const std::string& sentence)
{
    kill(process.pid(), SIGINT);
    EXPECT_EQ(process.wait().status, 130);
    const std::string& shown = terminal.readUntil(sentence);
    EXPECT_NE(shown.find(sentence), std::string::npos) << shown;
}

} // namespace coalescope::cli
