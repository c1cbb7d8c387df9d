// SPDX-License-Identifier: Apache-2.0
// Sweeps over targets that are shell scripts: tests/fake_worker.sh.
#include "kernels/experiment/sweep.h"

#include "tests/folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <sstream>

namespace {

using namespace coalescope;
using kernels::ParameterValues;
using kernels::SweepRow;

const kernels::KernelSpec& copyKernel() { return **kernels::kernelNamed("copy"); }

std::vector<ParameterValues> launchesOf(const std::string& axis)
{
    return combinations(sweepRequest(copyKernel(), { axis }, {}).value());
}

class MeasureSweep : public testing::Test {
protected:
    const Folder m_folder;
    std::map<std::size_t, SweepRow> m_rows;
    std::vector<std::string> m_lost;
    kernels::MeasureSweepOptions m_options;

    /// A target that works, with a log of its own.
    std::string target(
        const std::string& log = "log", const char* seconds = "0", const char* answer = "") const
    {
        return std::string("sh " COALESCOPE_TEST_DATA "/fake_worker.sh ") + m_folder.at(log) + ' '
            + seconds + " '" + answer + "'";
    }
    Result<void> sweep(const std::vector<ParameterValues>& launches)
    {
        m_rows.clear();
        m_options.targetLost
            = [this](const std::string& lost, const Error&) { m_lost.push_back(lost); };
        return measureSweep(
            copyKernel(), launches, m_options, [this](std::size_t index, const SweepRow& row) {
                EXPECT_TRUE(m_rows.emplace(index, row).second) << "told twice: " << index;
            });
    }
    /// The launches that a target began, in order.
    std::vector<std::string> begun(const std::string& log = "log") const
    {
        std::istringstream text(m_folder.read(log));
        std::vector<std::string> lines;
        for (std::string line; std::getline(text, line);)
            if (line.starts_with("start "))
                lines.push_back(line);
        return lines;
    }
    std::set<std::string> begunOnce(const std::vector<std::string>& logs) const
    {
        std::set<std::string> all;
        for (const std::string& log : logs)
            for (const std::string& line : begun(log))
                EXPECT_TRUE(all.insert(line).second) << "measured twice: " << line;
        return all;
    }
};

TEST_F(MeasureSweep, measuresEachLaunchOnceAndTellsItsRow)
{
    m_options.targets = { target() };
    const auto done = sweep(launchesOf("rows=32:128:32"));
    ASSERT_TRUE(done) << done.error().detail;
    EXPECT_EQ(begunOnce({ "log" }).size(), 4u);
    ASSERT_EQ(m_rows.size(), 4u);
    for (const auto& [index, row] : m_rows) {
        EXPECT_EQ(row.values.at("rows"), std::to_string(32 * (index + 1)));
        ASSERT_TRUE(row.measured) << row.problem;
        EXPECT_EQ(row.measured->launch.parameters, row.values) << "its own, and no other's";
        EXPECT_FALSE(row.predicted);
    }
}

TEST_F(MeasureSweep, targetsShareTheLaunches)
{
    m_options.targets = { target("a", "0.02"), target("b", "0.02"), target("c", "0.02") };
    ASSERT_TRUE(sweep(launchesOf("rows=1:12")));
    EXPECT_EQ(begunOnce({ "a", "b", "c" }).size(), 12u);
    for (const char* log : { "a", "b", "c" })
        EXPECT_FALSE(begun(log).empty()) << log;
    EXPECT_EQ(m_rows.size(), 12u);
}

TEST_F(MeasureSweep, aTargetMeasuresOneLaunchAtATime)
{
    m_options.targets = { target("a", "0.01"), target("b", "0.01") };
    ASSERT_TRUE(sweep(launchesOf("rows=1:8")));
    for (const char* log : { "a", "b" }) {
        std::istringstream text(m_folder.read(log));
        bool busy = false;
        for (std::string line; std::getline(text, line); busy = !busy)
            EXPECT_EQ(line.starts_with("end "), busy) << line;
    }
}

TEST_F(MeasureSweep, illegalLaunchesAreToldAndNotMeasured)
{
    m_options.targets = { target() };
    ASSERT_TRUE(sweep(launchesOf("block_x=32,2000")));
    EXPECT_EQ(begun().size(), 1u);
    EXPECT_TRUE(m_rows.at(0).measured);
    EXPECT_NE(m_rows.at(1).problem.find("outside"), std::string::npos) << m_rows.at(1).problem;
}

TEST_F(MeasureSweep, aFailedLaunchIsARowAndTheTargetGoesOn)
{
    m_options.targets = { target("log", "0",
        "{\"error\":{\"code\":\"OutOfMemory\",\"detail\":\"the GPU is full\",\"where\":\"\"}}") };
    m_options.journal = m_folder.at("journal");
    ASSERT_TRUE(sweep(launchesOf("rows=32,64")));
    EXPECT_EQ(m_rows.at(0).problem, "the GPU is full");
    EXPECT_EQ(begun().size(), 2u);
    ASSERT_TRUE(sweep(launchesOf("rows=32,64")));
    EXPECT_EQ(m_rows.at(1).problem, "the GPU is full");
    EXPECT_EQ(begun().size(), 2u) << "finished, if without a time";
}

TEST_F(MeasureSweep, whatFailedIsTriedAgainWhereThatIsAskedFor)
{
    m_options.journal = m_folder.at("journal");
    m_options.targets = { target("good") };
    ASSERT_TRUE(sweep(launchesOf("rows=32,64")));
    m_options.targets = { target("bad", "0",
        "{\"error\":{\"code\":\"TimedOut\",\"detail\":\"too slow\",\"where\":\"\"}}") };
    ASSERT_TRUE(sweep(launchesOf("rows=32,64,96,128")));
    EXPECT_EQ(m_rows.at(2).problem, "too slow");
    const std::string kept = toJson(*m_rows.at(0).measured);
    m_options.retryFailed = true;
    m_options.targets = { target("again") };
    ASSERT_TRUE(sweep(launchesOf("rows=32,64,96,128")));
    EXPECT_EQ(begunOnce({ "good", "again" }).size(), 4u) << "good ones are left alone";
    EXPECT_EQ(begun("again").size(), 2u);
    EXPECT_TRUE(m_rows.at(2).measured && m_rows.at(3).measured);
    EXPECT_EQ(toJson(*m_rows.at(0).measured), kept);
    m_options.retryFailed = false;
    ASSERT_TRUE(sweep(launchesOf("rows=32,64,96,128")));
    EXPECT_EQ(begun("again").size(), 2u) << "and is kept as measured from then on";
    EXPECT_TRUE(m_rows.at(3).measured);
}

TEST_F(MeasureSweep, aTargetThatFailsTwiceIsGivenUpAndItsLaunchGoesToAnother)
{
    const std::string broken = target(
        "broken", "0", "{\"error\":{\"code\":\"NoDriver\",\"detail\":\"none\",\"where\":\"\"}}");
    m_options.targets = { broken, "no-such-program-anywhere", target("good", "0.05") };
    const auto done = sweep(launchesOf("rows=1:6"));
    ASSERT_TRUE(done) << done.error().detail;
    EXPECT_EQ(begun("broken").size(), 2u) << "tried twice";
    EXPECT_EQ(begunOnce({ "good" }).size(), 6u);
    EXPECT_EQ(m_rows.size(), 6u);
    std::ranges::sort(m_lost);
    EXPECT_EQ(m_lost, (std::vector<std::string> { "no-such-program-anywhere", broken }));
}

TEST_F(MeasureSweep, aTargetThatStumblesOnceIsKept)
{
    m_folder.write("stumble.sh",
        "mkdir " + m_folder.at("stumbled") + " 2>/dev/null && exit 1\nexec " + target() + "\n");
    m_options.targets = { "sh " + m_folder.at("stumble.sh") };
    const auto done = sweep(launchesOf("rows=32,64"));
    ASSERT_TRUE(done) << done.error().detail;
    EXPECT_EQ(m_rows.size(), 2u);
}

TEST_F(MeasureSweep, withNoTargetLeftTheErrorIsToldAndTheJournalKept)
{
    // Works once, then never again.
    m_folder.write("dying.sh",
        "mkdir " + m_folder.at("worked") + " 2>/dev/null || exit 3\nexec " + target() + "\n");
    m_options.targets = { "sh " + m_folder.at("dying.sh") };
    m_options.journal = m_folder.at("journal");
    const auto done = sweep(launchesOf("rows=32,64,96"));
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::TargetFailed);
    EXPECT_EQ(m_rows.size(), 1u);
    EXPECT_TRUE(m_lost.empty()) << "the last one's error is the sweep's";
    m_options.targets = { target() };
    ASSERT_TRUE(sweep(launchesOf("rows=32,64,96")));
    EXPECT_EQ(m_rows.size(), 3u);
    EXPECT_EQ(begunOnce({ "log" }).size(), 3u);
}

TEST_F(MeasureSweep, theJournalHandsOverWhatItHolds)
{
    m_options.targets = { target() };
    m_options.journal = m_folder.at("journal");
    ASSERT_TRUE(sweep(launchesOf("rows=32,64")));
    const auto before = m_rows;
    ASSERT_TRUE(sweep(launchesOf("rows=32,64,96"))) << "a longer sweep may go on from it";
    EXPECT_EQ(begunOnce({ "log" }).size(), 3u);
    ASSERT_EQ(m_rows.size(), 3u);
    for (const auto& [index, row] : before) {
        EXPECT_EQ(m_rows.at(index).values, row.values);
        EXPECT_EQ(toJson(*m_rows.at(index).measured), toJson(*row.measured));
    }
}

TEST_F(MeasureSweep, aLaunchAskedForTwiceIsMeasuredOnce)
{
    m_options.targets = { target() };
    // The second spells out a default of the first.
    ASSERT_TRUE(sweep({ { { "rows", "32" } }, { { "rows", "32" }, { "block_x", "32" } } }));
    EXPECT_EQ(begun().size(), 1u);
    EXPECT_EQ(m_rows.size(), 2u);
}

TEST_F(MeasureSweep, stopsWhenAskedAndLosesNothing)
{
    std::stop_source stop;
    m_options.targets = { target("a", "0.02"), target("b", "30") };
    m_options.journal = m_folder.at("journal");
    m_options.stop = stop.get_token();
    const auto began = std::chrono::steady_clock::now();
    const auto done = measureSweep(copyKernel(), launchesOf("rows=1:50"), m_options,
        [&](std::size_t index, const SweepRow& row) {
            m_rows.emplace(index, row);
            if (m_rows.size() == 3)
                stop.request_stop();
        });
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::Cancelled);
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20)) << "no waiting";
    const auto told = m_rows.size();
    EXPECT_LT(told, 50u);
    m_options.stop = {};
    m_options.targets = { target("c"), target("d") };
    ASSERT_TRUE(sweep(launchesOf("rows=1:50")));
    EXPECT_EQ(m_rows.size(), 50u);
    EXPECT_EQ(begun("c").size() + begun("d").size(), 50 - told);
}

TEST_F(MeasureSweep, noLaunchChecksTheJournalOnly)
{
    m_options.targets = { "no-such-program-anywhere" };
    m_options.journal = m_folder.at("journal");
    EXPECT_TRUE(sweep({}));
    m_folder.write("journal", "something else\n");
    EXPECT_FALSE(sweep({}));
    m_options.journal = {};
    m_options.targets = { "'open quote" };
    const auto open = sweep({});
    ASSERT_FALSE(open);
    EXPECT_EQ(open.error().code, ErrorCode::WrongUsage);
}

} // namespace
