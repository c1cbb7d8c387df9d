// SPDX-License-Identifier: Apache-2.0
// Predictions against what an H200 and an H100 counted of kernels that are not in the catalogue: a sweep of each.
#include "tests/counted_launches.h"
#include "tests/swept_kernels.h"

#include "analysis/device/estimate.h"
#include "kernels/experiment/predict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace {

using namespace coalescope;
using analysis::Exactness;
using analysis::Metric;

struct SweptPrediction {
    SweptLaunch swept;
    analysis::RunResult predicted;
    bool ledByData = false;
};

#ifdef __SANITIZE_ADDRESS__
constexpr bool kAreFiguresJudged = false; // they are the release build's to judge
#else
constexpr bool kAreFiguresJudged = true;
#endif

/// One of so many launches, for all that an H200 has counted take minutes; all where COALESCOPE_EVERY_LAUNCH is set.
std::size_t stepOf(const std::string& gpu)
{
    if (!kAreFiguresJudged)
        return 9;
    return gpu == "h200" && !std::getenv("COALESCOPE_EVERY_LAUNCH") ? 3 : 1;
}

const std::vector<SweptPrediction>& sweptPredictions(const std::string& gpu)
{
    static std::map<std::string, std::vector<SweptPrediction>> all;
    if (const auto known = all.find(gpu); known != all.end())
        return known->second;
    std::vector<SweptPrediction>& list = all[gpu];
    const std::vector<SweptLaunch> swept = sweptLaunches(gpu);
    for (std::size_t i = 0; i < swept.size(); i += stepOf(gpu)) {
        if (isSlowToPredict(swept[i]))
            continue;
        auto prediction = kernels::predict(swept[i].plan, { .device = swept[i].measured.device, .verify = false });
        if (!prediction && prediction.error().detail.contains("comes with the CUDA toolkit"))
            continue; // which is not installed here
        EXPECT_TRUE(prediction) << swept[i].measured.kernel << ": " << prediction.error().detail;
        if (prediction)
            list.push_back({ swept[i], std::move(prediction->result), prediction->ledByData });
    }
    return list;
}

std::string nameOf(const SweptPrediction& launch) { return coalescope::nameOf(launch.swept.measured); }

/// False where clang made the PTX: it unrolls loops otherwise, so that other shared loads become one.
bool isOfNvrtc(const SweptPrediction& launch) { return launch.predicted.occupancy->registersPerThread.has_value(); }

/// Whether ptxas has unrolled a loop that lanes leave at different turns, which the PTX does not tell; the prediction says so.
bool isWarnedOf(const SweptPrediction& launch)
{
    return std::ranges::any_of(launch.predicted.hazards,
        [](const analysis::Hazard& hazard) { return hazard.kind == analysis::HazardKind::DivergentLoop; });
}

/// Where registers are few, ptxas loads again from shared memory what the PTX keeps, 48 loads a block, which the prediction tells; of a
/// loop's two turns it loads both words at once, which is not told yet. Loads of fragments of matrices it moves out of loops, which is
/// told.
bool isLoadedOtherwise(const SweptPrediction& launch, const analysis::MetricInfo& info)
{
    const auto& measured = launch.swept.measured;
    const auto is = [&](std::string_view kernel, std::uint64_t threads) {
        return measured.kernel == kernel && measured.launch.block.count() == threads;
    };
    if (measured.kernel == "mlp_fused") // a's fragments are the same for all columns: they are loaded before the loop
        return measured.launch.parameters.at("hidden") != "32" && info.group == analysis::MetricGroup::Global;
    return (is("decode_attention", 1024) || is("rms_backward", 64)) && info.group == analysis::MetricGroup::Shared;
}

/// clang unrolls a loop that lanes leave at different turns, of which NVRTC's code is warned of, and stores some pairs of doubles one after
/// the other; counted was NVRTC's.
bool isCompiledOtherwise(const SweptPrediction& launch)
{
    const std::string& kernel = launch.swept.measured.kernel;
    return !isOfNvrtc(launch) && (kernel == "packed_triangle" || kernel == "su3_staples");
}

class SweptKernels : public testing::TestWithParam<const char*> { };

TEST_P(SweptKernels, everyExactKeyEqualsTheCounterButWhereAWarningIsGiven)
{
    std::size_t values = 0;
    for (const SweptPrediction& launch : sweptPredictions(GetParam())) {
        for (const analysis::MetricInfo& info : analysis::metricTable()) {
            const auto measured = launch.swept.measured.metrics.get(info.metric);
            if (info.exactness != Exactness::Exact || !measured || isWarnedOf(launch) || isCompiledOtherwise(launch) || isLoadedOtherwise(launch, info)
                || (info.group == analysis::MetricGroup::Shared && !isOfNvrtc(launch)))
                continue;
            EXPECT_EQ(launch.predicted.metrics.get(info.metric), measured) << nameOf(launch) << ' ' << info.key;
            ++values;
        }
    }
    EXPECT_GT(values, 1000 / stepOf(GetParam()));
}

TEST(SweptKernel, addressesFromFloatsAreRoundedAsTheMachineCodeRounds)
{
    const auto all = sweptLaunches("h200");
    const auto rotate = std::ranges::find(all, "rotate_image", [](const SweptLaunch& launch) { return launch.measured.kernel; });
    ASSERT_NE(rotate, all.end());
    const auto prediction = kernels::predict(rotate->plan, { .verify = false });
    ASSERT_TRUE(prediction) << prediction.error().detail;
    for (const Metric metric : { Metric::GlobalLoadSectors, Metric::GlobalTags })
        EXPECT_EQ(prediction->result.metrics.get(metric), rotate->measured.metrics.get(metric));
}

/// Mean absolute relative error over the kernels that their data lead, or over the others; of sectors where there are enough for it to say
/// something.
double meanError(const char* gpu, Metric metric, bool ledByData)
{
    const double least = metric == Metric::Duration ? 0 : 10000;
    double sum = 0;
    int count = 0;
    for (const SweptPrediction& launch : sweptPredictions(gpu)) {
        const auto predicted = launch.predicted.metrics.get(metric), measured = launch.swept.measured.metrics.get(metric);
        if (launch.ledByData != ledByData || !predicted || !measured || *measured <= least)
            continue;
        sum += std::abs(*predicted / *measured - 1);
        ++count;
    }
    return sum / count;
}

analysis::ErrorBasis basisOf(const SweptPrediction& launch)
{
    return { .registersKnown = isOfNvrtc(launch), .ofCatalogue = false, .ledByData = launch.ledByData };
}

const analysis::DeviceModel& deviceOf(const SweptPrediction& launch) { return **analysis::deviceNamed(launch.swept.measured.device); }

TEST_P(SweptKernels, everyEstimatesErrorIsTheOneThatIsShown)
{
    if (!kAreFiguresJudged)
        GTEST_SKIP() << "too few launches for the errors of all";
    const auto first = std::ranges::find(sweptPredictions(GetParam()), false, &SweptPrediction::ledByData);
    ASSERT_NE(first, sweptPredictions(GetParam()).end());
    const double near = stepOf(GetParam()) > 1 ? 0.02 : isOfNvrtc(*first) ? 0.002 : 0.01; // clang's versions differ
    for (const analysis::MetricInfo& info : analysis::metricTable()) {
        if (const auto shown = analysis::recordedError(deviceOf(*first), info.metric, basisOf(*first))) {
            EXPECT_NEAR(meanError(GetParam(), info.metric, false), *shown, near) << info.key;
        }
    }
}

TEST_P(SweptKernels, timesOfQuickOnesThatTheirDataLeadAreAboutAsFarOffAsIsShownOfAll)
{
    if (!kAreFiguresJudged)
        GTEST_SKIP() << "too few launches for the errors of all";
    const auto first = std::ranges::find(sweptPredictions(GetParam()), true, &SweptPrediction::ledByData);
    ASSERT_NE(first, sweptPredictions(GetParam()).end());
    const double shown = *analysis::recordedError(deviceOf(*first), Metric::Duration, basisOf(*first));
    const double error = meanError(GetParam(), Metric::Duration, true);
    EXPECT_LT(error, 1.5 * shown);
    EXPECT_GT(error, shown / 1.5);
}

TEST_P(SweptKernels, eachIsShownTheErrorsOfItsKind)
{
    for (const SweptPrediction& launch : sweptPredictions(GetParam()))
        for (const analysis::MetricInfo& info : analysis::metricTable())
            ASSERT_EQ(launch.predicted.estimateErrors.get(info.metric), analysis::recordedError(deviceOf(launch), info.metric, basisOf(launch)));
}

TEST_P(SweptKernels, warmTimesAreEstimatedAboutAsWell)
{
    double sum = 0;
    for (const SweptPrediction& launch : sweptPredictions(GetParam()))
        sum += std::abs(*launch.predicted.time.warmNs / launch.swept.measured.time.warm->medianNs - 1);
    EXPECT_LT(sum / double(sweptPredictions(GetParam()).size()), isOfNvrtc(sweptPredictions(GetParam()).front()) ? 0.08 : 0.14); // clang tells no spills
}

INSTANTIATE_TEST_SUITE_P(, SweptKernels, testing::Values("h200", "h100"), [](const auto& gpu) { return std::string(gpu.param); });

} // namespace
