// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace coalescope::kernels {

/// After its answer a process needs a while to leave the GPU; the next one works on a free GPU, with all its memory.
constexpr int kLeaveMilliseconds = 5000;

/// How a child ended.
struct ChildExit {
    int status = 0; ///< exit status; 128 + signal where a signal ended it
    int signal = 0; ///< 0: it ended by itself
    [[nodiscard]] std::string text() const; ///< "exit status 3" or "signal SIGSEGV"
};

/// A child process with pipes to its input, output and (where kept) error output.
///
/// It dies with its parent, and with this object.
class ChildProcess {
public:
    enum class ErrorOutput : std::uint8_t { Inherit, Keep };

    /// Errors: TargetFailed where the program is not found or cannot be started.
    [[nodiscard]] static Result<std::unique_ptr<ChildProcess>> start(
        const std::vector<std::string>& words, ErrorOutput errors);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ~ChildProcess();

    /// Writes to the child's input; a child that reads no more is no error here.
    void send(std::string_view text);
    void closeInput();

    /// Waits at most `milliseconds` for output; false once the output has ended.
    [[nodiscard]] bool poll(int milliseconds);
    /// The next whole line of output, without its newline; the last one may lack it.
    [[nodiscard]] std::optional<std::string> nextLine();
    [[nodiscard]] bool outputEnded() const { return m_output < 0; }
    /// What the child wrote to its error output so far, the last kilobytes.
    [[nodiscard]] const std::string& errorText() const { return m_errorText; }

    /// Waits for the end; ends the child where it lingers: SIGTERM, then SIGKILL.
    ChildExit finish(int patienceMilliseconds);
    /// Ends the child now.
    ChildExit kill() { return finish(0); }

private:
    ChildProcess() = default;
    void readFrom(int& descriptor, std::string& into);

    pid_t m_pid = -1;
    int m_input = -1, m_output = -1, m_error = -1;
    std::string m_buffer, m_errorText;
    std::optional<ChildExit> m_exit;
};

/// The last line of a text that says something.
[[nodiscard]] std::string lastLine(std::string_view text);

} // namespace coalescope::kernels
