// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/child_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coalescope::kernels {

namespace {

    /// The program's file, found as the shell would: before the fork, where allocating is still safe.
    std::string programFile(const std::string& word)
    {
        namespace fs = std::filesystem;
        if (word.find('/') != std::string::npos)
            return access(word.c_str(), X_OK) == 0 ? word : "";
        const char* path = std::getenv("PATH");
        std::string_view rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
        while (true) {
            const auto colon = std::min(rest.find(':'), rest.size());
            const std::string file = (fs::path(rest.substr(0, colon)) / word).string();
            if (access(file.c_str(), X_OK) == 0 && !fs::is_directory(file))
                return file;
            if (colon == rest.size())
                return {};
            rest.remove_prefix(colon + 1);
        }
    }

    struct Pipes {
        int ends[6] = { -1, -1, -1, -1, -1, -1 }; ///< in, out, error: read end, write end
        ~Pipes()
        {
            for (int end : ends)
                if (end >= 0)
                    close(end);
        }
        int take(int index) { return std::exchange(ends[index], -1); }
    };

    constexpr std::size_t kKeptErrorText = 8192;

} // namespace

std::string ChildExit::text() const
{
    if (!signal)
        return fmt::format("exit status {}", status);
    const char* name = sigabbrev_np(signal);
    return name ? fmt::format("signal SIG{}", name) : fmt::format("signal {}", signal);
}

std::string lastLine(std::string_view text)
{
    const auto end = text.find_last_not_of(" \t\r\n");
    if (end == std::string_view::npos)
        return {};
    text = text.substr(0, end + 1);
    const auto newline = text.find_last_of("\r\n");
    return std::string(newline == std::string_view::npos ? text : text.substr(newline + 1));
}

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(
    const std::vector<std::string>& words, ErrorOutput errors)
{
    const std::string file = words.empty() ? "" : programFile(words.front());
    if (file.empty())
        return fail(ErrorCode::TargetFailed,
            fmt::format("the program '{}' is not found", words.empty() ? "" : words.front()));
    Pipes pipes;
    // The input is a socket: a write to a child that is gone then gives an error and no signal.
    int input[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) != 0
        || (std::copy_n(input, 2, pipes.ends), pipe2(pipes.ends + 2, O_CLOEXEC)) != 0
        || (errors == ErrorOutput::Keep && pipe2(pipes.ends + 4, O_CLOEXEC) != 0))
        return fail(ErrorCode::TargetFailed, fmt::format("no pipe can be made: {}", std::strerror(errno)));

    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0)
        return fail(ErrorCode::TargetFailed, fmt::format("no process can be made: {}", std::strerror(errno)));
    if (pid == 0) {
        // Only calls that are safe between fork and exec. A child never outlives its parent.
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent)
            _exit(127);
        for (int signal : { SIGPIPE, SIGTERM, SIGINT, SIGHUP })
            ::signal(signal, SIG_DFL);
        dup2(pipes.ends[0], 0);
        dup2(pipes.ends[3], 1);
        if (errors == ErrorOutput::Keep)
            dup2(pipes.ends[5], 2);
        execv(file.c_str(), arguments.data());
        _exit(127);
    }
    std::unique_ptr<ChildProcess> child(new ChildProcess);
    child->m_pid = pid;
    child->m_input = pipes.take(1);
    child->m_output = pipes.take(2);
    if (errors == ErrorOutput::Keep)
        child->m_error = pipes.take(4);
    return child;
}

ChildProcess::~ChildProcess()
{
    kill();
    for (int end : { m_input, m_output, m_error })
        if (end >= 0)
            close(end);
}

void ChildProcess::send(std::string_view text)
{
    constexpr int kPatienceMilliseconds = 10000; // a child that reads nothing must not hang its parent
    while (!text.empty() && m_input >= 0) {
        const ssize_t sent = ::send(m_input, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            pollfd writable { m_input, POLLOUT, 0 };
            if (::poll(&writable, 1, kPatienceMilliseconds) > 0)
                continue;
        }
        if (sent <= 0)
            return closeInput();
        text.remove_prefix(std::size_t(sent));
    }
}

void ChildProcess::closeInput()
{
    if (m_input >= 0)
        close(std::exchange(m_input, -1));
}

void ChildProcess::readFrom(int& descriptor, std::string& into)
{
    char bytes[65536];
    const ssize_t size = read(descriptor, bytes, sizeof bytes);
    if (size > 0)
        into.append(bytes, std::size_t(size));
    else if (size == 0 || errno != EINTR)
        close(std::exchange(descriptor, -1));
}

bool ChildProcess::poll(int milliseconds)
{
    pollfd fds[2] = { { m_output, POLLIN, 0 }, { m_error, POLLIN, 0 } };
    if (::poll(fds, 2, milliseconds) > 0) {
        if (m_output >= 0 && fds[0].revents)
            readFrom(m_output, m_buffer);
        if (m_error >= 0 && fds[1].revents) {
            readFrom(m_error, m_errorText);
            if (m_errorText.size() > 2 * kKeptErrorText)
                m_errorText.erase(0, m_errorText.size() - kKeptErrorText);
        }
    }
    return m_output >= 0;
}

std::optional<std::string> ChildProcess::nextLine()
{
    const auto newline = m_buffer.find('\n');
    if (newline == std::string::npos && (m_output >= 0 || m_buffer.empty()))
        return std::nullopt;
    std::string line = m_buffer.substr(0, newline);
    m_buffer.erase(0, newline == std::string::npos ? newline : newline + 1);
    return line;
}

ChildExit ChildProcess::finish(int patienceMilliseconds)
{
    using Clock = std::chrono::steady_clock;
    using std::chrono::milliseconds;
    if (m_exit)
        return *m_exit;
    closeInput();
    const auto endsWithin = [&](int patience) {
        const auto until = Clock::now() + milliseconds(patience);
        for (int status = 0;;) {
            const pid_t pid = waitpid(m_pid, &status, WNOHANG);
            if (pid == m_pid) {
                const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
                m_exit = ChildExit { signal ? 128 + signal : WEXITSTATUS(status), signal };
                return true;
            }
            if (pid < 0 && errno != EINTR) {
                m_exit = ChildExit { 255, 0 };
                return true;
            }
            if (Clock::now() >= until)
                return false;
            // What it still says on its error output must not block it.
            if (m_error >= 0)
                (void)poll(5);
            else
                std::this_thread::sleep_for(milliseconds(2));
        }
    };
    if (endsWithin(patienceMilliseconds))
        return *m_exit;
    ::kill(m_pid, SIGTERM);
    if (endsWithin(2000))
        return *m_exit;
    ::kill(m_pid, SIGKILL);
    // A process inside the driver may need a while to go; it is not waited for without end.
    if (!endsWithin(10000))
        m_exit = ChildExit { 128 + SIGKILL, SIGKILL };
    return *m_exit;
}

} // namespace coalescope::kernels
