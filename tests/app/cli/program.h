// SPDX-License-Identifier: Apache-2.0
// Runs the built `coalescope` as a script would.
#pragma once

#include "tests/folder.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coalescope::cli {

using coalescope::Folder;

struct Outcome {
    int status = -1; ///< exit status; 128 + number where a signal ended it
    std::string out, err;
    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// How the program is started beside its arguments.
struct Surroundings {
    std::vector<std::pair<std::string, std::string>> variables;
    std::string input;
    std::string outputFile; ///< instead of a file of our own
    std::string errorFile; ///< as outputFile
    bool readerIsGone = false; ///< standard output is a pipe that nobody reads
};

/// The program while it runs.
class Process {
public:
    explicit Process(std::vector<std::string> arguments, const Surroundings& with = {})
    {
        const std::string in = m_folder.write("in", with.input), out = m_folder.at("out"),
                          err = m_folder.at("err");
        arguments.insert(arguments.begin(), COALESCOPE_PROGRAM);
        std::vector<char*> argv;
        for (std::string& argument : arguments)
            argv.push_back(argument.data());
        argv.push_back(nullptr);
        const std::string& outTo = with.outputFile.empty() ? out : with.outputFile;
        const std::string& errTo = with.errorFile.empty() ? err : with.errorFile;
        m_child = fork();
        if (m_child != 0)
            return;
        setpgid(0, 0); // signals to the group are for it and what it started
        const int ends[] { open(in.c_str(), O_RDONLY),
            open(outTo.c_str(), O_WRONLY | O_CREAT, 0600),
            open(errTo.c_str(), O_WRONLY | O_CREAT | O_NOCTTY, 0600) };
        for (int end = 0; end < 3; ++end)
            dup2(ends[end], end);
        if (int pipeEnds[2]; with.readerIsGone && pipe(pipeEnds) == 0) {
            dup2(pipeEnds[1], STDOUT_FILENO);
            close(pipeEnds[0]);
        }
        setenv("XDG_CONFIG_HOME", m_folder.at("config").c_str(), 1); // no device of whoever runs the tests
        for (const auto& [name, value] : with.variables)
            setenv(name.c_str(), value.c_str(), 1);
        execv(argv[0], argv.data());
        _exit(127);
    }
    [[nodiscard]] pid_t pid() const { return m_child; }

    Outcome wait()
    {
        int state = 0;
        waitpid(m_child, &state, 0);
        return { WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state),
            m_folder.read("out"), m_folder.read("err") };
    }

private:
    Folder m_folder;
    pid_t m_child = -1;
};

inline Outcome run(std::vector<std::string> arguments, const Surroundings& with = {})
{
    return Process(std::move(arguments), with).wait();
}

inline std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

/// Cells of a CSV line, quoted cells as one.
inline std::size_t cells(const std::string& line)
{
    std::size_t count = 1;
    bool quoted = false;
    for (const char c : line) {
        quoted ^= c == '"';
        count += c == ',' && !quoted;
    }
    return count;
}

/// Nothing on standard output; on the other one "coalescope: ", the sentence and a next step.
inline void expectError(const Outcome& outcome, int status, const std::string& part)
{
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with("coalescope: ")) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    const std::string first = outcome.err.substr(0, outcome.err.find('\n'));
    EXPECT_NE(first.find(". "), std::string::npos) << "no next step: " << first;
}

/// Kernels are compiled by NVRTC or clang; where neither is there, nothing can be predicted.
class NeedsCompiler : public testing::Test {
protected:
    void SetUp() override
    {
        static const Outcome probe = run({ "predict", "copy", "--set", "rows=32", "--no-verify" });
        if (probe.err.find("no compiler for CUDA C++") != std::string::npos)
            GTEST_SKIP() << "neither NVRTC nor clang is installed";
    }
};

} // namespace coalescope::cli
