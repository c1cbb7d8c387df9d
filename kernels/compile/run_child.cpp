// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/run_child.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace coalescope::kernels {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kOutputLimitBytes = 4 << 20;

std::vector<std::string> englishEnvironment()
{
    std::vector<std::string> variables;
    for (char** variable = environ; *variable; ++variable) {
        const std::string_view text = *variable;
        if (!text.starts_with("LC_ALL=") && !text.starts_with("LANGUAGE="))
            variables.emplace_back(text);
    }
    variables.emplace_back("LC_ALL=C");
    return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> result;
    for (std::string& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

/// Starts the program in a process group of its own, its output going to `output`.
int start(std::vector<std::string> arguments, int output, pid_t& pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<std::string> environment = englishEnvironment();
    const int error = posix_spawn(&pid, arguments[0].c_str(), &actions, &attributes, pointers(arguments).data(),
        pointers(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/// Reads until the pipe closes. False where the deadline passes first.
bool drain(int input, Clock::time_point deadline, std::string& output)
{
    char buffer[16384];
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd waiting { input, POLLIN, 0 };
        const int ready = left > 0 ? poll(&waiting, 1, int(left)) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return false;
        const ssize_t got = read(input, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return true;
        output.append(buffer, std::min(std::size_t(got), kOutputLimitBytes - output.size()));
    }
}

/// Waits for the end of a child whose output is closed already. False at the deadline.
bool wait(pid_t pid, Clock::time_point deadline, int& status)
{
    for (;;) {
        const pid_t done = waitpid(pid, &status, WNOHANG);
        if (done == pid || (done < 0 && errno != EINTR))
            return true;
        if (Clock::now() >= deadline)
            return false;
        usleep(500);
    }
}

} // namespace

Result<ChildResult> runChild(const std::vector<std::string>& arguments, std::chrono::milliseconds limit)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail(ErrorCode::NoCompiler, "no pipe for " + arguments[0] + ": " + std::strerror(errno));
    const Clock::time_point deadline = Clock::now() + limit;
    pid_t pid = 0;
    const int error = start(arguments, ends[1], pid);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        return fail(ErrorCode::NoCompiler, arguments[0] + " cannot be started: " + std::strerror(error));
    }
    ChildResult result;
    int status = 0;
    const bool ended = drain(ends[0], deadline, result.output) && wait(pid, deadline, status);
    close(ends[0]);
    if (!ended) {
        kill(-pid, SIGKILL); // the group: a driver's own children too
        waitpid(pid, &status, 0);
        return fail(ErrorCode::TimedOut,
            arguments[0] + " was stopped after " + std::to_string(limit.count() / 1000) + " s");
    }
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

TemporaryDirectory::TemporaryDirectory()
{
    std::error_code error;
    std::filesystem::path base = std::filesystem::temp_directory_path(error);
    if (error)
        base = "/tmp";
    std::string name = (base / "coalescope-XXXXXX").string();
    if (mkdtemp(name.data()))
        m_path = name;
}

TemporaryDirectory::~TemporaryDirectory()
{
    std::error_code error;
    if (!m_path.empty())
        std::filesystem::remove_all(m_path, error);
}

} // namespace coalescope::kernels
