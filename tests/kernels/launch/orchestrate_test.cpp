// SPDX-License-Identifier: Apache-2.0
// The order of a measurement's steps, with a script in place of the program that runs them.
#include "kernels/launch/orchestrate.h"

#include "kernels/compile/run_child.h"
#include "test_plans.h"
#include "tests/environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace coalescope::kernels {
namespace {

/// Logs "STEP start", "go", "free" and "left". A step answers, then needs a while to leave. Steps
/// whose name is in a file `broken` fail where they were prepared. What is not counted has no
/// value.
constexpr const char* kWorker = R"sh(#!/bin/sh
cd "$(dirname "$0")"
IFS= read -r job
step=$(printf '%s' "$job" | sed 's/.*"step":"\([a-z]*\)".*/\1/')
say() { echo "$step $1" >>log; }
case $job in *'"hold":true'*) held=1 ;; *) held= ;; esac
[ "$step" = count ] && metrics='"gpu__time_duration.sum":7' || metrics=
case $job in *'"core_line_metrics":true'*) core=smaller ;; *) core= ;; esac
say "start$held$core"
if [ "$held" ]; then
    IFS= read -r word || exit 9
    say "$word"
    if [ "$step" != run ]; then IFS= read -r word || exit 9; say "$word"; fi
fi
if [ "$held" ] && grep -q "$step" broken 2>/dev/null; then
    printf '{"error":{"code":"%s","detail":"it is broken","where":""}}\n' "$(cat code)"
else
    printf '{"result":{"kind":"measurement","kernel":"copy","device":"h200","source":"ptx","launch":{"grid":[1,1,1],"block":[32,1,1],"parameters":{}},"metrics":{%s},"lines":[{"file":"k.cu","line":3,"metrics":{}}]}}\n' "$metrics"
fi
sleep 0.2
say left
)sh";

class Orchestrate : public testing::Test {
protected:
    Orchestrate()
        : m_worker("COALESCOPE_WORKER", write("worker", kWorker).c_str())
    {
        std::filesystem::permissions(m_folder.path() / "worker", std::filesystem::perms::owner_all);
    }
    std::string write(const std::string& name, const std::string& text)
    {
        std::ofstream(m_folder.path() / name) << text;
        return m_folder.path() / name;
    }
    void breakPrepared(const std::string& step, const std::string& code = "LaunchFailed")
    {
        write("broken", step);
        write("code", code);
    }
    Result<analysis::RunResult> measured(
        bool hold = false, const std::function<bool()>& mayStart = {})
    {
        return measureJob(Job { .plan = copyPlan(), .hold = hold }, {}, {}, mayStart);
    }
    /// What happened, without the starts, which have no order.
    std::vector<std::string> happened() const
    {
        std::vector<std::string> lines;
        std::ifstream log(m_folder.path() / "log");
        for (std::string line; std::getline(log, line);)
            if (!line.ends_with("start1") && !line.ends_with("run start"))
                lines.push_back(line);
        return lines;
    }

    TemporaryDirectory m_folder;
    Environment m_worker;
};

} // namespace

TEST_F(Orchestrate, aStepMakesItsContextWhileTheOneBeforeLeavesAndWorksAfterThat)
{
    const auto result = measured();
    ASSERT_TRUE(result) << result.error().detail;
    EXPECT_EQ(result->metrics.get(analysis::Metric::Duration), 7);
    EXPECT_EQ(result->lines.size(), 1u);
    EXPECT_EQ(happened(),
        (std::vector<std::string> { "count go", "run left", "count free", "lines go", "count left",
            "lines free", "lines left" }));
}

TEST_F(Orchestrate, aHeldMeasurementHasEverythingReadyAndBeginsAtItsTurn)
{
    const auto result = measured(true, [&] {
        for (int i = 0; i < 1000; ++i) {
            std::ifstream log(m_folder.path() / "log");
            const std::string text((std::istreambuf_iterator<char>(log)), {});
            if (std::ranges::count(text, '\n') == 3)
                break;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        EXPECT_TRUE(happened().empty());
        return true;
    });
    ASSERT_TRUE(result) << result.error().detail;
    EXPECT_EQ(happened().front(), "run go");
    EXPECT_EQ(happened().size(), 8u);
}

TEST_F(Orchestrate, aHeldMeasurementThatIsGivenUpRunsNothing)
{
    const auto result = measured(true, [] { return false; });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
    EXPECT_TRUE(happened().empty());
}

TEST_F(Orchestrate, aPreparedStepThatFailsIsTriedAgainUnprepared)
{
    breakPrepared("count");
    const auto result = measured();
    ASSERT_TRUE(result) << result.error().detail;
    EXPECT_EQ(result->metrics.get(analysis::Metric::Duration), 7);
    EXPECT_TRUE(result->milliseconds.contains("count_first_try"));
    EXPECT_EQ(happened(),
        (std::vector<std::string> { "count go", "run left", "count free", "count left",
            "count start", "lines go", "count left", "lines free", "lines left" }));
}

TEST_F(Orchestrate, linesAreTriedAgainWithFewerMetrics)
{
    breakPrepared("lines");
    const auto result = measured();
    ASSERT_TRUE(result) << result.error().detail;
    EXPECT_EQ(result->lines.size(), 1u);
    EXPECT_TRUE(result->milliseconds.contains("lines_first_try"));
    EXPECT_EQ(happened().back(), "lines left");
    EXPECT_EQ(happened()[happened().size() - 2], "lines startsmaller");
}

TEST_F(Orchestrate, withoutPermissionNothingIsTriedAgain)
{
    breakPrepared("count", "NoCounterPermission");
    const auto result = measured();
    ASSERT_TRUE(result) << result.error().detail;
    EXPECT_EQ(result->notMeasured.at("gpu__time_duration.sum"), "it is broken");
    EXPECT_EQ(happened(),
        (std::vector<std::string> { "count go", "run left", "count free", "count left" }));
}

} // namespace coalescope::kernels
