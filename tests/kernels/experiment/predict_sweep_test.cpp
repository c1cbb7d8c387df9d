// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/predict.h"
#include "kernels/experiment/sweep.h"
#include "kernels/experiment/sweep_problem.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>

namespace {

using namespace coalescope;
using kernels::ParameterValues;
using kernels::SweepRow;

struct Swept {
    Result<kernels::SweepTimes> times;
    std::map<std::size_t, SweepRow> rows;
};

std::vector<ParameterValues> launchesOf(
    const kernels::KernelSpec& kernel, const std::vector<std::string>& over)
{
    return combinations(sweepRequest(kernel, over, { "rows=96", "cols=96" }).value());
}

Swept swept(const char* id, const std::vector<std::string>& over,
    const kernels::PredictSweepOptions& options = {})
{
    const auto& kernel = **kernels::kernelNamed(id);
    Swept result;
    result.times = predictSweep(
        kernel, launchesOf(kernel, over), options, [&](std::size_t index, const SweepRow& row) {
            EXPECT_TRUE(result.rows.emplace(index, row).second) << "told twice: " << index;
        });
    return result;
}

/// What of a result does not depend on when it was made.
std::string lasting(analysis::RunResult result)
{
    result.milliseconds.clear();
    return toJson(result);
}

TEST(PredictSweep, isEveryLaunchPredictedOnItsOwn)
{
    const auto sweep
        = swept("transpose_shared_flat", { "block_x=8,16,32", "pad=0:2" }, { .keepLines = true });
    ASSERT_TRUE(sweep.times) << sweep.times.error().detail;
    ASSERT_EQ(sweep.rows.size(), 9u);
    const auto& kernel = **kernels::kernelNamed("transpose_shared_flat");
    for (const auto& [index, row] : sweep.rows) {
        ASSERT_TRUE(row.predicted) << row.problem;
        const auto alone = predict(planLaunch(kernel, row.values).value(), { .verify = false });
        ASSERT_TRUE(alone);
        EXPECT_EQ(lasting(*row.predicted), lasting(alone->result)) << index;
    }
    EXPECT_EQ(sweep.rows.at(5).values.at("block_x"), "16");
    EXPECT_EQ(sweep.rows.at(5).values.at("pad"), "2");
    EXPECT_EQ(sweep.rows.at(5).values.at("type"), "f32")
        << "parameters left out have their default";
}

TEST(PredictSweep, anIllegalLaunchIsARowWithItsSentence)
{
    const auto sweep = swept("transpose_shared_flat", { "block_x=32,1024,2000" });
    ASSERT_TRUE(sweep.times) << sweep.times.error().detail;
    EXPECT_TRUE(sweep.rows.at(0).predicted);
    EXPECT_NE(sweep.rows.at(1).problem.find("1024 is the limit"), std::string::npos)
        << sweep.rows.at(1).problem;
    EXPECT_NE(sweep.rows.at(2).problem.find("outside 1 to 1024"), std::string::npos);
    EXPECT_FALSE(sweep.rows.at(1).predicted || sweep.rows.at(2).predicted);
}

TEST(PredictSweep, aLaunchThatDoesNotCompileLeavesTheOthersAlone)
{
    auto kernel = **kernels::kernelNamed("transpose_shared_flat");
    kernel.source += "\nstatic_assert(PAD != 1, \"no pad of one\");\n";
    std::map<std::size_t, SweepRow> rows;
    const auto times = predictSweep(kernel, launchesOf(kernel, { "pad=0:2" }), {},
        [&](std::size_t index, const SweepRow& row) { rows.emplace(index, row); });
    ASSERT_TRUE(times) << times.error().detail;
    EXPECT_TRUE(rows.at(0).predicted && rows.at(2).predicted);
    EXPECT_NE(rows.at(1).problem.find("no pad of one"), std::string::npos) << rows.at(1).problem;
    EXPECT_EQ(rows.at(1).problem.find('\n'), std::string::npos) << "a sentence, no log";
}

TEST(PredictSweep, whatSeemsFastestIsRightAsWell)
{
    auto kernel = **kernels::kernelNamed("copy");
    const std::string store = "out[i] = in[i];";
    kernel.source.replace(kernel.source.rfind(store), store.size(), "if (blockDim.x < 32) out[i] = in[i]; // nothing is faster than nothing");
    std::map<std::size_t, SweepRow> rows;
    std::map<std::size_t, int> told;
    const auto launches = combinations(sweepRequest(kernel, { "block_x=8,16,32" }, { "rows=512", "cols=512", "block_y=8" }).value());
    const auto times = predictSweep(kernel, launches, {}, [&](std::size_t index, const SweepRow& row) {
        rows.insert_or_assign(index, row);
        ++told[index];
    });
    ASSERT_TRUE(times) << times.error().detail;
    EXPECT_LT(rows.at(2).predicted->time.warmNs, rows.at(1).predicted->time.warmNs);
    EXPECT_TRUE(hasFault(rows.at(2))) << "it stores nothing";
    EXPECT_EQ(rows.at(2).predicted->verified, false);
    EXPECT_EQ(told, (std::map<std::size_t, int> { { 0, 1 }, { 1, 1 }, { 2, 2 } }));
    EXPECT_FALSE(hasFault(rows.at(0)) || hasFault(rows.at(1)));
}

TEST(PredictSweep, compilesAProgramOnce)
{
    // A source of its own: no other test has compiled it, nor an earlier run.
    auto kernel = **kernels::kernelNamed("transpose_shared_flat");
    kernel.source
        += "// " + std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
    const auto launches = combinations(
        sweepRequest(kernel, { "rows=32:128:32", "pad=0,1" }, { "cols=64" }).value());
    const auto first = predictSweep(kernel, launches, {}, [](std::size_t, const SweepRow&) {});
    ASSERT_TRUE(first) << first.error().detail;
    EXPECT_EQ(first->compiled, 2u) << "two paddings, whatever the rows";
    EXPECT_GT(first->compileMs, 0);
    EXPECT_GT(first->analyseMs, 0);
    const auto again = predictSweep(kernel, launches, {}, [](std::size_t, const SweepRow&) {});
    ASSERT_TRUE(again);
    EXPECT_EQ(again->compiled, 0u);
    EXPECT_EQ(again->compileMs, 0);
}

TEST(PredictSweep, launchesWithAProgramOfTheirOwnComeFirst)
{
    const auto& kernel = **kernels::kernelNamed("transpose_shared_flat");
    std::vector<std::size_t> told;
    const auto times
        = predictSweep(kernel, launchesOf(kernel, { "pad=0,1", "grid=published,tight" }),
            { .threads = 1 }, [&](std::size_t index, const SweepRow&) { told.push_back(index); });
    ASSERT_TRUE(times) << times.error().detail;
    EXPECT_EQ(told, (std::vector<std::size_t> { 0, 2, 1, 3 }))
        << "the grid's shape is not compiled in";
}

TEST(PredictSweep, linesAreKeptOnlyWhereAskedFor)
{
    EXPECT_TRUE(swept("copy", { "block_x=32" }).rows.at(0).predicted->lines.empty());
    EXPECT_FALSE(
        swept("copy", { "block_x=32" }, { .keepLines = true }).rows.at(0).predicted->lines.empty());
}

TEST(PredictSweep, stopsWhenAsked)
{
    const auto& kernel = **kernels::kernelNamed("copy");
    std::stop_source stop;
    int rows = 0;
    const auto times = predictSweep(kernel, launchesOf(kernel, { "block_y=1:30" }),
        { .threads = 2, .stop = stop.get_token() }, [&](std::size_t, const SweepRow&) {
            ++rows;
            stop.request_stop();
        });
    ASSERT_FALSE(times);
    EXPECT_EQ(times.error().code, ErrorCode::Cancelled);
    EXPECT_LE(rows, 2) << "the other thread may have been at its end";
}

TEST(PredictSweep, whatConcernsEveryLaunchFailsTheSweep)
{
    const auto sweep = swept("copy", { "block_x=32" }, { .device = "voodoo2" });
    ASSERT_FALSE(sweep.times);
    EXPECT_EQ(sweep.times.error().code, ErrorCode::UnknownDevice);
    const auto& kernel = **kernels::kernelNamed("copy");
    const auto misspelt
        = predictSweep(kernel, { { { "rowss", "32" } } }, {}, [](std::size_t, const SweepRow&) {});
    ASSERT_FALSE(misspelt);
    EXPECT_EQ(misspelt.error().code, ErrorCode::WrongUsage);
}

TEST(PredictSweep, noLaunchIsNoWork)
{
    const auto times = predictSweep(**kernels::kernelNamed("copy"), {}, {},
        [](std::size_t, const SweepRow&) { FAIL() << "a row of nothing"; });
    EXPECT_TRUE(times);
}

} // namespace
