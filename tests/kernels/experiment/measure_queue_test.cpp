// SPDX-License-Identifier: Apache-2.0
// Queues over targets that are shell scripts: tests/fake_worker.sh, behind a program named like ssh
// where one launch may wait while another is measured.
#include "kernels/experiment/measure_queue.h"

#include "tests/folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <sstream>

namespace {

using namespace coalescope;

constexpr const char* kWorker = "sh " COALESCOPE_TEST_DATA "/fake_worker.sh ";

class MeasureQueue : public testing::Test {
protected:
    const Folder m_folder;
    std::map<std::size_t, int> m_finished; ///< how often
    std::vector<std::string> m_lost;
    kernels::MeasureQueueOptions m_options;
    std::function<void()> m_atFinish = [] {};

    /// A target of that name that runs a line of shell.
    std::string script(const std::string& name, const std::string& line) const
    {
        m_folder.write(name, "#!/bin/sh\n" + line + "\n");
        std::filesystem::permissions(m_folder.at(name), std::filesystem::perms::owner_all);
        return m_folder.at(name);
    }
    std::string working(const std::string& name, const std::string& log, const char* seconds) const
    {
        return script(name, std::string("exec ") + kWorker + m_folder.at(log) + ' ' + seconds);
    }
    Result<void> measure(std::size_t count)
    {
        m_options.targetLost
            = [this](const std::string& target, const Error&) { m_lost.push_back(target); };
        const auto plan = [](std::size_t index) {
            return planLaunch(
                **kernels::kernelNamed("copy"), { { "rows", std::to_string(index + 1) } })
                .value();
        };
        const auto finished = [this](std::size_t index,
                                  const Result<analysis::RunResult>& measured) -> Result<void> {
            ++m_finished[index];
            EXPECT_TRUE(measured) << measured.error().detail;
            EXPECT_TRUE(
                !measured || measured->launch.parameters.at("rows") == std::to_string(index + 1));
            m_atFinish();
            return {};
        };
        return measureQueue({ count, plan, finished }, m_options);
    }
    std::vector<std::string> logged(const std::string& log, const std::string& word = "") const
    {
        std::istringstream text(m_folder.read(log));
        std::vector<std::string> lines;
        for (std::string line; std::getline(text, line);)
            if (line.starts_with(word))
                lines.push_back(line);
        return lines;
    }
    /// Every launch once, one at a time on the GPU, at most one waiting.
    void expectOrder(const std::string& log) const
    {
        std::string running, waiting;
        for (const std::string& line : logged(log)) {
            const std::string launch = line.substr(line.find(' '));
            if (line.starts_with("hold")) {
                EXPECT_EQ(waiting, "") << line;
                waiting = launch;
            } else if (line.starts_with("start")) {
                EXPECT_EQ(running, "") << "two on one GPU: " << line;
                EXPECT_EQ(waiting.empty() || waiting == launch, true) << "out of turn: " << line;
                waiting.clear();
                running = launch;
            } else {
                EXPECT_EQ(running, launch) << line;
                running.clear();
            }
        }
        EXPECT_EQ(running + waiting, "");
    }
    void expectEachOnce(std::size_t count) const
    {
        EXPECT_EQ(m_finished.size(), count);
        for (const auto& [index, times] : m_finished)
            EXPECT_EQ(times, 1) << index;
    }
    void expectNoProcessLeft(const std::string& log) const
    {
        for (const std::string& pid : logged(log + ".pids"))
            EXPECT_NE(kill(std::stoi(pid), 0), 0) << pid;
    }
};

TEST_F(MeasureQueue, theNextLaunchWaitsWhileOneIsCounted)
{
    m_options.targets = { working("ssh", "log", "0.1") };
    const auto done = measure(4);
    ASSERT_TRUE(done) << done.error().detail;
    expectEachOnce(4);
    EXPECT_EQ(logged("log", "hold").size(), 3u) << "all but the first have waited";
    const auto lines = logged("log");
    bool running = false, whileRunning = false;
    for (const std::string& line : lines) {
        running = line.starts_with("start") || (running && !line.starts_with("end"));
        whileRunning |= running && line.starts_with("hold");
    }
    EXPECT_TRUE(whileRunning);
    expectOrder("log");
    expectNoProcessLeft("log");
}

TEST_F(MeasureQueue, nothingWaitsBehindAQueueOrAnUnknownProgram)
{
    m_options.targets = { working("srun", "a", "0.01"), working("on-a-gpu", "b", "0.01") };
    ASSERT_TRUE(measure(8));
    expectEachOnce(8);
    EXPECT_TRUE(logged("a", "hold").empty());
    EXPECT_TRUE(logged("b", "hold").empty());
}

TEST_F(MeasureQueue, severalTargetsEachHaveTheirWaitingLaunch)
{
    std::filesystem::create_directory(m_folder.at("two"));
    m_options.targets = { working("ssh", "a", "0.01"), working("two/ssh", "b", "0.02") };
    ASSERT_TRUE(measure(20));
    expectEachOnce(20);
    for (const char* log : { "a", "b" }) {
        expectOrder(log);
        EXPECT_FALSE(logged(log, "hold").empty());
    }
}

TEST_F(MeasureQueue, aLostTargetGivesBothItsLaunchesBack)
{
    // Its third launch breaks off while the fourth waits, and from then on it is gone.
    m_folder.write("a", "");
    const std::string gone = m_folder.at("gone");
    const std::string dying = script("ssh",
        "[ -e " + gone + " ] && exit 255\nIFS= read -r job\n{ printf '%s\\n' \"$job\"; cat; } | "
            + kWorker + m_folder.at("a")
            + " 0.05 | {\nIFS= read -r progress; echo \"$progress\"\n[ $(grep -c start "
            + m_folder.at("a") + ") -lt 3 ] || { i=0; while [ $(grep -c hold " + m_folder.at("a")
            + ") -lt 3 ] && [ $i -lt 500 ]; do i=$((i + 1)); sleep 0.01; done; touch " + gone
            + "; exit 255; }\nexec cat; }");
    std::filesystem::create_directory(m_folder.at("two"));
    m_options.targets = { dying, working("two/ssh", "b", "0.1") };
    const auto done = measure(10);
    ASSERT_TRUE(done) << done.error().detail;
    expectEachOnce(10);
    EXPECT_EQ(m_lost, std::vector<std::string> { dying });
    EXPECT_EQ(logged("a", "hold").size(), 3u) << "one waited when it was lost";
    expectOrder("b");
}

TEST_F(MeasureQueue, aLaunchThatDiesWhileItWaitsIsTriedAgain)
{
    // Each waiting launch's process ends by itself before its turn.
    m_options.targets = { script("ssh",
        "IFS= read -r job\ncase $job in *'\"hold\":true'*) echo died >>" + m_folder.at("died")
            + "; exit 9 ;; esac\nprintf '%s\\n' \"$job\" | " + kWorker + m_folder.at("log")
            + " 0.02") };
    const auto done = measure(4);
    ASSERT_TRUE(done) << done.error().detail;
    expectEachOnce(4);
    EXPECT_TRUE(m_lost.empty());
    EXPECT_GE(logged("died").size(), 2u);
    EXPECT_EQ(logged("log", "start").size(), 4u);
}

TEST_F(MeasureQueue, stoppingEndsTheOneThatRunsAndTheOneThatWaits)
{
    std::stop_source stop;
    m_options.stop = stop.get_token();
    m_options.targets = { working("ssh", "log", "0.02") };
    int seen = 0;
    m_atFinish = [&] {
        if (++seen == 3)
            stop.request_stop();
    };
    const auto done = measure(50);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::Cancelled);
    EXPECT_EQ(m_finished.size(), 3u);
    EXPECT_LE(logged("log", "start").size(), 4u) << "the one that waited did not begin";
    expectNoProcessLeft("log");
}

TEST_F(MeasureQueue, anErrorOfTheReceiverEndsItWithWhatWaits)
{
    m_options.targets = { working("ssh", "log", "0.02") };
    int told = 0;
    const auto plan = [](std::size_t index) {
        return planLaunch(**kernels::kernelNamed("copy"), { { "rows", std::to_string(index + 1) } })
            .value();
    };
    const auto full = [&](std::size_t, const Result<analysis::RunResult>&) -> Result<void> {
        return ++told < 2 ? Result<void>() : fail(ErrorCode::FileFailed, "the disk is full");
    };
    const auto done = measureQueue({ 10, plan, full }, m_options);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::FileFailed);
    EXPECT_EQ(told, 2);
    expectNoProcessLeft("log");
}

TEST_F(MeasureQueue, connectionsThatBreakAnywhereLoseNothingAndMeasureNothingTwice)
{
    // Every process is killed after a random time, often never: waiting, running, or between the
    // two.
    std::filesystem::create_directory(m_folder.at("two"));
    for (int round = 0; round < 2; ++round) {
        m_finished.clear();
        const std::string log = "log" + std::to_string(round);
        const auto flaky = [&](const std::string& name) {
            return script(name,
                "n=$(od -An -N2 -tu2 /dev/urandom)\n[ $((n % 4)) -ne 0 ] || { (sleep 0.0$((n % "
                "9)); kill -9 $$) "
                "2>/dev/null & }\nexec "
                    + std::string(kWorker) + m_folder.at(log) + " 0.01");
        };
        const std::string first = flaky("ssh"), second = flaky("two/ssh");
        // A target is given up when it fails twice running: there are enough of them.
        m_options.targets.assign(12, first);
        m_options.targets.insert(m_options.targets.end(), 12, second);
        const auto done = measure(30);
        ASSERT_TRUE(done) << done.error().detail;
        expectEachOnce(30);
        const auto ends = logged(log, "end");
        EXPECT_GE(ends.size(), 30u) << "an answer may be lost on its way and be asked for again";
    }
}

} // namespace
