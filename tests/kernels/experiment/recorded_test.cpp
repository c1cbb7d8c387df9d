// SPDX-License-Identifier: Apache-2.0
// Predictions against what an H200 and an H100 counted: the recorded launches, every one.
#include "analysis/device/estimate.h"
#include "kernels/compile/nvrtc.h"
#include "kernels/experiment/compare.h"
#include "kernels/experiment/predict.h"
#include "kernels/experiment/recorded.h"
#include "tests/counted_launches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace {

using namespace coalescope;
using analysis::Exactness;
using analysis::Metric;

struct RecordedLaunch {
    const analysis::RunResult* measured = nullptr;
    analysis::RunResult predicted;
};

#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kEvery = 5; // slow, and the figures are the release build's to judge
#else
constexpr std::size_t kEvery = 1;
#endif

/// Every launch recorded on a GPU with its prediction; predicted once for all tests.
const std::vector<RecordedLaunch>& recordedLaunches(const std::string& device)
{
    static std::map<std::string, std::vector<RecordedLaunch>> all;
    const auto [known, isNew] = all.try_emplace(device);
    std::vector<RecordedLaunch>& list = known->second;
    for (std::size_t i = 0; isNew && i < kernels::recordedMeasurements().size(); i += kEvery) {
        const analysis::RunResult& measured = kernels::recordedMeasurements()[i];
        if (measured.device != device)
            continue;
        const auto kernel = kernels::kernelNamed(measured.kernel);
        const auto plan = kernels::planLaunch(**kernel, measured.launch.parameters);
        EXPECT_TRUE(plan) << measured.kernel << ": " << plan.error().detail;
        auto prediction = kernels::predict(*plan, { .device = device, .verify = false });
        EXPECT_TRUE(prediction) << measured.kernel << ": " << prediction.error().detail;
        if (prediction)
            list.push_back({ &measured, std::move(prediction->result) });
    }
    return list;
}

class RecordedOn : public testing::TestWithParam<const char*> { };

std::string nameOf(const RecordedLaunch& launch) { return coalescope::nameOf(*launch.measured); }

TEST(Recorded, holdsAtLeast2000LaunchesOfEveryKernel)
{
    EXPECT_GE(kernels::recordedMeasurements().size(), 2000u);
    std::map<std::string, int> counts;
    for (const analysis::RunResult& measured : kernels::recordedMeasurements())
        ++counts[measured.kernel];
    EXPECT_EQ(counts.size(), kernels::catalogue().size());
}

TEST(Recorded, saysWhichGpuDriverAndDay)
{
    for (const analysis::RunResult& measured : kernels::recordedMeasurements()) {
        EXPECT_FALSE(measured.gpu.empty());
        EXPECT_FALSE(measured.driver.empty());
        EXPECT_FALSE(measured.date.empty());
    }
}

/// Recorded without instrumentation: neither values of lines nor the counters that the same pass counts.
bool isOfTotals(const RecordedLaunch& launch) { return launch.measured->lines.empty(); }

TEST_P(RecordedOn, everyExactKeyEqualsTheCounter)
{
    for (const RecordedLaunch& launch : recordedLaunches(GetParam())) {
        for (const analysis::MetricInfo& info : analysis::metricTable()) {
            if (info.exactness != Exactness::Exact)
                continue;
            const auto measured = launch.measured->metrics.get(info.metric);
            ASSERT_TRUE(measured || isOfTotals(launch) || info.isOfAtomics) << nameOf(launch) << ' ' << info.key;
            if (measured) {
                EXPECT_EQ(launch.predicted.metrics.get(info.metric), measured)
                    << nameOf(launch) << ' ' << info.key;
            }
        }
    }
}

TEST_P(RecordedOn, registersAndBlocksOfAnSmEqualTheDrivers)
{
    const kernels::Nvrtc* nvrtc = kernels::Nvrtc::instance();
    if (!nvrtc || nvrtc->version() != "NVRTC 13.0")
        GTEST_SKIP() << "the launches were compiled by NVRTC 13.0; another may take other registers";
    for (const RecordedLaunch& launch : recordedLaunches(GetParam())) {
        const analysis::Occupancy &ours = *launch.predicted.occupancy, &theirs = *launch.measured->occupancy;
        EXPECT_EQ(ours.registersPerThread, theirs.registersPerThread) << nameOf(launch);
        EXPECT_EQ(ours.limiter, theirs.limiter) << nameOf(launch);
        if (ours.limiter == "grid") { // the driver says what would fit
            EXPECT_LT(ours.blocksPerSm, theirs.blocksPerSm) << nameOf(launch);
        } else {
            EXPECT_EQ(ours.blocksPerSm, theirs.blocksPerSm) << nameOf(launch);
            EXPECT_EQ(ours.warpsPerSm, theirs.warpsPerSm) << nameOf(launch);
        }
    }
}

TEST_P(RecordedOn, arbitrationOnlyEverAddsToThePrediction)
{
    for (const RecordedLaunch& launch : recordedLaunches(GetParam())) {
        if (std::ranges::none_of(analysis::metricTable(),
                [&](const analysis::MetricInfo& info) { return launch.measured->metrics.get(info.metric).has_value(); }))
            continue; // times alone
        for (const analysis::MetricInfo& info : analysis::metricTable()) {
            if (info.exactness != Exactness::UpToArbitration)
                continue;
            const auto measured = launch.measured->metrics.get(info.metric);
            if (info.isOfAtomics && !measured)
                continue; // recorded before these had keys
            ASSERT_TRUE(measured) << nameOf(launch) << ' ' << info.key;
            EXPECT_LE(launch.predicted.metrics.get(info.metric), measured)
                << nameOf(launch) << ' ' << info.key;
        }
    }
}

TEST_P(RecordedOn, everyValueOfEveryLineEqualsTheCounter)
{
    std::size_t values = 0;
    for (const RecordedLaunch& launch : recordedLaunches(GetParam())) {
        for (const analysis::LineValues& measured : launch.measured->lines) {
            const auto predicted
                = std::ranges::find_if(launch.predicted.lines, [&](const auto& line) {
                      return line.file == measured.file && line.line == measured.line;
                  });
            ASSERT_NE(predicted, launch.predicted.lines.end())
                << nameOf(launch) << " line " << measured.line;
            for (const analysis::MetricInfo& info : analysis::metricTable()) {
                if (info.exactness != Exactness::Exact || !measured.metrics.get(info.metric))
                    continue;
                EXPECT_EQ(predicted->metrics.get(info.metric), measured.metrics.get(info.metric))
                    << nameOf(launch) << " line " << measured.line << ' ' << info.key;
                ++values;
            }
        }
    }
    if (GetParam() == std::string("h200")) { // on the H100 only totals were counted
        EXPECT_GT(values, 2000u);
    }
}

/// Mean absolute relative error over a GPU's launches; of DRAM's sectors where there are enough for it to say something.
double meanError(const std::string& device, Metric metric)
{
    const bool dram = infoOf(metric).group == analysis::MetricGroup::Dram;
    double sum = 0;
    int count = 0;
    for (const RecordedLaunch& launch : recordedLaunches(device)) {
        const auto predicted = launch.predicted.metrics.get(metric),
                   measured = launch.measured->metrics.get(metric);
        if (!predicted || !measured || *measured <= (dram ? 10000 : 0))
            continue;
        sum += std::abs(*predicted / *measured - 1);
        ++count;
    }
    return sum / count;
}

TEST_P(RecordedOn, everyEstimatesErrorIsTheOneThatIsShown)
{
    if (kEvery > 1)
        GTEST_SKIP() << "the errors are those of all launches";
    const analysis::DeviceModel& device = **analysis::deviceNamed(GetParam());
    for (const analysis::MetricInfo& info : analysis::metricTable()) {
        const auto shown = analysis::recordedError(device, info.metric,
            { .registersKnown = recordedLaunches(GetParam()).front().predicted.occupancy->registersPerThread.has_value() });
        EXPECT_EQ(shown.has_value(), info.exactness == Exactness::Estimate) << info.key;
        if (!shown)
            continue;
        const double error = meanError(GetParam(), info.metric);
        RecordProperty(std::string(info.label), std::to_string(error));
        EXPECT_NEAR(error, *shown, 0.002) << info.key;
        for (const RecordedLaunch& launch : recordedLaunches(GetParam()))
            ASSERT_EQ(launch.predicted.estimateErrors.get(info.metric), shown);
    }
}

TEST_P(RecordedOn, estimatesAreAsNearAsTheModelIsHeldTo)
{
    if (kEvery > 1)
        GTEST_SKIP() << "the errors are those of all launches";
    const auto error = [](Metric metric) { return meanError(GetParam(), metric); };
    EXPECT_LT(error(Metric::Duration), 0.06);
    EXPECT_LT(error(Metric::L1ReadSectors), 0.03);
    EXPECT_LT(error(Metric::L1WriteSectors), 0.03);
    EXPECT_LT(error(Metric::L2ReadSectors), 0.05);
    EXPECT_LT(error(Metric::L2WriteSectors), 0.05);
    EXPECT_LT(error(Metric::DramReadSectors), 0.10);
    EXPECT_LT(error(Metric::DramWriteSectors), 0.10);
}

TEST_P(RecordedOn, warmAndColdTimesAreEstimatedAboutAsWell)
{
    if (kEvery > 1)
        GTEST_SKIP() << "the errors are those of all launches";
    double warm = 0, cold = 0;
    const auto count = double(recordedLaunches(GetParam()).size());
    for (const RecordedLaunch& launch : recordedLaunches(GetParam())) {
        warm += std::abs(*launch.predicted.time.warmNs / launch.measured->time.warm->medianNs - 1);
        cold += std::abs(*launch.predicted.time.coldNs / launch.measured->time.cold->medianNs - 1);
    }
    RecordProperty("mean_error_warm", std::to_string(warm / count));
    RecordProperty("mean_error_cold", std::to_string(cold / count));
    EXPECT_LT(warm / count, 0.06);
    EXPECT_LT(cold / count, 0.07);
}

double measuredWarmNs(const RecordedLaunch* launch) { return launch->measured->time.warm->medianNs; }
double predictedWarmNs(const RecordedLaunch* launch) { return *launch->predicted.time.warmNs; }

/// Launches that differ in block, tile and padding only, where there are enough to choose from and the choice matters.
std::vector<std::vector<const RecordedLaunch*>> sweeps(const std::string& device)
{
    std::map<std::string, std::vector<const RecordedLaunch*>> all;
    for (const RecordedLaunch& launch : recordedLaunches(device)) {
        std::string name = launch.measured->kernel;
        for (const char* parameter : { "rows", "cols", "type", "batch" }) {
            const auto& values = launch.measured->launch.parameters;
            const auto value = values.find(parameter);
            name += ' ' + (value == values.end() ? "" : value->second);
        }
        all[name].push_back(&launch);
    }
    std::vector<std::vector<const RecordedLaunch*>> chosen;
    for (auto& [name, sweep] : all) {
        const auto [fastest, slowest] = std::ranges::minmax(sweep, {}, measuredWarmNs);
        if (sweep.size() >= 12 && measuredWarmNs(slowest) > 1.5 * measuredWarmNs(fastest))
            chosen.push_back(std::move(sweep));
    }
    return chosen;
}

TEST_P(RecordedOn, thePredictedBestOfASweepIsHardlySlowerThanTheBest)
{
    if (kEvery > 1)
        GTEST_SKIP() << "the errors are those of all launches";
    double sum = 0;
    const auto all = sweeps(GetParam());
    for (const auto& sweep : all) {
        const RecordedLaunch* chosen = *std::ranges::min_element(sweep, {}, predictedWarmNs);
        const RecordedLaunch* best = *std::ranges::min_element(sweep, {}, measuredWarmNs);
        const double ratio = measuredWarmNs(chosen) / measuredWarmNs(best);
        EXPECT_LT(ratio, 1.35) << nameOf(*chosen) << ", but " << nameOf(*best);
        sum += ratio;
    }
    ASSERT_GE(all.size(), 30u);
    RecordProperty("measured_of_predicted_best_over_best", std::to_string(sum / double(all.size())));
    EXPECT_LT(sum / double(all.size()), 1.02);
}

/// Warm, predicted and measured: how many times as long the first of two launches takes on an H200.
void expectTimesAsLong(const char* slow, const char* fast, double within)
{
    const auto launchNamed = [](const char* name) {
        return std::ranges::find(recordedLaunches("h200"), name, [](const RecordedLaunch& launch) { return nameOf(launch); });
    };
    const auto first = launchNamed(slow), second = launchNamed(fast);
    ASSERT_NE(first, recordedLaunches("h200").end()) << slow;
    ASSERT_NE(second, recordedLaunches("h200").end()) << fast;
    const double measured = measuredWarmNs(&*first) / measuredWarmNs(&*second);
    EXPECT_GT(measured, 1.1);
    EXPECT_NEAR(predictedWarmNs(&*first) / predictedWarmNs(&*second), measured, within) << slow;
}

TEST(Recorded, halfOfAnSmsBlocksHideFewOfTheirBankConflicts)
{
    if (kEvery > 1)
        GTEST_SKIP() << "needs these launches";
    // The conflicts are the same in both; 4 blocks of 512 threads go through shared memory together, 16 of 128 one after the other.
    expectTimesAsLong("transpose_flat_bound cols=3000 pad=0 rows=5200 rows_per_block=16 tile=32 type=f32",
        "transpose_flat_bound cols=3000 pad=0 rows=5200 rows_per_block=4 tile=32 type=f32", 0.06);
}

TEST(Recorded, blocksThatLoadALotAtOnceWaitForWhatTheirLoadsPushOutOfTheL2)
{
    if (kEvery > 1)
        GTEST_SKIP() << "needs these launches";
    expectTimesAsLong("transpose_swizzle cols=3000 rows=5200 rows_per_block=2 tile=64 type=f32",
        "transpose_swizzle cols=3000 rows=5200 rows_per_block=8 tile=64 type=f32", 0.05);
}

INSTANTIATE_TEST_SUITE_P(, RecordedOn, testing::Values("h200", "h100-sxm"),
    [](const auto& device) { return std::string(device.param).substr(0, 4); });

TEST(Recorded, onTheGpuThatIsAskedForIsPreferred)
{
    const auto launch = std::ranges::find(kernels::recordedMeasurements(), "h100-sxm", &analysis::RunResult::device);
    ASSERT_NE(launch, kernels::recordedMeasurements().end());
    const auto plan = kernels::planLaunch(**kernels::kernelNamed(launch->kernel), launch->launch.parameters);
    for (const char* device : { "h200", "h100-sxm" }) {
        const auto recorded = kernels::recordedResult(*plan, device);
        ASSERT_TRUE(recorded) << recorded.error().detail;
        EXPECT_EQ(recorded->device, device);
    }
    const auto nowhere = kernels::recordedResult(*plan, "t4");
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().where, "--device");
}

TEST(Recorded, standsInOnlyForTheVerySameLaunch)
{
    const auto kernel = kernels::kernelNamed("transpose_shared");
    const auto same = kernels::planLaunch(**kernel, { { "rows", "1024" }, { "cols", "1024" } });
    const auto other = kernels::planLaunch(**kernel, { { "rows", "1024" }, { "cols", "1023" } });
    EXPECT_NE(kernels::recordedFor(*same).exact, nullptr);
    const kernels::RecordedAnswer answer = kernels::recordedFor(*other);
    EXPECT_EQ(answer.exact, nullptr);
    ASSERT_FALSE(answer.near.empty());
    EXPECT_EQ(answer.near.front()->launch.parameters.at("rows"), "1024");
    const auto missing = kernels::recordedResult(*other);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::NotRecorded);
}

} // namespace
