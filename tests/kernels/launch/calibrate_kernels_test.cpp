// SPDX-License-Identifier: Apache-2.0
// The calibration's kernels do what their rates are divided by: our own prediction of them says so.
#include "kernels/launch/calibrate_kernels.h"

#include "analysis/device/device_model.h"
#include "kernels/experiment/predict.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace coalescope::kernels {

namespace {

using analysis::Metric;

/// A small GPU, so that its whole grids can be executed here.
const GpuProperties kGpu { .name = "NVIDIA Quantum Z9",
    .computeMajor = 9,
    .computeMinor = 0,
    .sms = 2,
    .maxThreadsPerSm = 2048,
    .maxBlocksPerSm = 32,
    .registersPerSm = 65536,
    .maxThreadsPerBlock = 1024,
    .sharedPerSm = 233472,
    .sharedPerBlock = 49152,
    .sharedPerBlockOptIn = 232448,
    .l2Bytes = 1 << 20 };

analysis::MetricValues metricsOf(Rate rate, std::uint64_t amount)
{
    const auto prediction = predict(calibrationPlan(rate, kGpu, amount), { .verify = false });
    EXPECT_TRUE(prediction) << entryOf(rate) << ": " << prediction.error().detail << ' '
                            << prediction.error().where;
    if (!prediction)
        return {};
    // A chase reads what its own block wrote: that each block is executed as if alone is no loss
    // there. Shared memory is filled before time is taken.
    for (const analysis::Hazard& hazard : prediction->result.hazards) {
        if (hazard.kind != analysis::HazardKind::NotModelled && hazard.kind != analysis::HazardKind::DivergentLoop)
            ADD_FAILURE() << entryOf(rate) << " line " << hazard.line << ": " << hazard.detail;
    }
    return prediction->result.metrics;
}

double value(const analysis::MetricValues& metrics, Metric metric)
{
    return metrics.get(metric).value_or(-1);
}

bool canCompileRates()
{
    static const bool can = compileToPtx(calibrationPlan(Rate::Empty, kGpu, 0)).has_value();
    return can;
}

#define NEEDS_COMPILER()                                                                           \
    if (!canCompileRates())                                                                             \
    GTEST_SKIP() << "no compiler for CUDA C++"

/// A kernel that times itself: what its loads are, and which count its rate is of.
struct SelfTimed {
    Rate rate;
    Metric requests, counted;
    double perRequest;
    double bytes; ///< a unit of the count has so many of what workOf gives
};
class SelfTimedKernels : public testing::TestWithParam<SelfTimed> { };

} // namespace

TEST_P(SelfTimedKernels, loadAsTheirRateSays)
{
    NEEDS_COMPILER();
    const auto& [rate, requests, counted, perRequest, bytes] = GetParam();
    const auto few = metricsOf(rate, 3), many = metricsOf(rate, 7);
    EXPECT_EQ(value(many, counted) / value(many, requests), perRequest);
    // The difference leaves the warm-up out, which is not timed.
    EXPECT_EQ((value(many, counted) - value(few, counted)) * bytes,
        workOf(rate, kGpu, 7) - workOf(rate, kGpu, 3));
}

INSTANTIATE_TEST_SUITE_P(, SelfTimedKernels,
    testing::Values(
        SelfTimed { Rate::L1Sectors, Metric::GlobalLoadRequests, Metric::GlobalLoadSectors, 16, 1 },
        SelfTimed { Rate::L1Tags, Metric::GlobalLoadRequests, Metric::GlobalLoadSectors, 32, 1 },
        SelfTimed {
            Rate::SharedRows, Metric::SharedLoadInstructions, Metric::SharedLoadWavefronts, 1, 1 },
        SelfTimed { Rate::SharedConflicts, Metric::SharedLoadInstructions,
            Metric::SharedLoadWavefronts, 8, 1 },
        SelfTimed { Rate::L2Read, Metric::GlobalLoadRequests, Metric::GlobalLoadSectors, 16, 32 },
        SelfTimed {
            Rate::L2Write, Metric::GlobalStoreRequests, Metric::GlobalStoreSectors, 16, 32 }),
    [](const auto& row) { return std::string(entryOf(row.param.rate)); });

TEST(CalibrationKernels, tagsAreOneForEachLine)
{
    NEEDS_COMPILER();
    // 2 blocks of 32 warps store their times; each of the 8 loads of a turn touches 32 lines.
    const auto few = metricsOf(Rate::L1Tags, 1), many = metricsOf(Rate::L1Tags, 2);
    EXPECT_EQ(value(many, Metric::GlobalTags) - value(few, Metric::GlobalTags), 32 * 8 * 32 * 2);
}

TEST(CalibrationKernels, conflictFreeRowsHaveNoConflict)
{
    NEEDS_COMPILER();
    EXPECT_EQ(value(metricsOf(Rate::SharedRows, 2), Metric::SharedLoadConflicts), 0);
}

TEST(CalibrationKernels, copiesMoveEachByteOnce)
{
    NEEDS_COMPILER();
    constexpr std::uint64_t kBytes = 4 << 20;
    const auto copy = metricsOf(Rate::DramCopy, kBytes);
    EXPECT_EQ(value(copy, Metric::GlobalLoadSectors) * 32, double(kBytes));
    EXPECT_EQ(value(copy, Metric::GlobalStoreSectors) * 32, double(kBytes));
    EXPECT_EQ(workOf(Rate::DramCopy, kGpu, kBytes), 2.0 * kBytes);
    const auto read = metricsOf(Rate::DramRead, kBytes);
    EXPECT_EQ(value(read, Metric::GlobalLoadSectors) * 32, double(kBytes));
    EXPECT_EQ(workOf(Rate::DramRead, kGpu, kBytes), double(kBytes));
}

TEST(CalibrationKernels, chasesAreOneLoadAStep)
{
    NEEDS_COMPILER();
    for (const Rate rate : { Rate::L1Latency, Rate::L2Latency, Rate::DramLatency }) {
        const auto few = metricsOf(rate, 100), many = metricsOf(rate, 200);
        EXPECT_EQ(
            value(many, Metric::GlobalLoadRequests) - value(few, Metric::GlobalLoadRequests), 100)
            << entryOf(rate);
    }
    const auto few = metricsOf(Rate::SharedLatency, 100),
               many = metricsOf(Rate::SharedLatency, 200);
    EXPECT_EQ(
        value(many, Metric::SharedLoadInstructions) - value(few, Metric::SharedLoadInstructions),
        100);
}

TEST(CalibrationKernels, chaseOfDramMeetsNoLineTwice)
{
    const auto lines
        = [](const LaunchPlan& plan) { return std::get<ScalarPlan>(plan.arguments[2]).bits; };
    const auto others
        = [](const LaunchPlan& plan) { return std::get<ScalarPlan>(plan.arguments[3]).bits; };
    const auto steps
        = [](const LaunchPlan& plan) { return std::get<ScalarPlan>(plan.arguments[4]).bits; };
    const LaunchPlan plan = calibrationPlan(Rate::DramLatency, kGpu, 1 << 20);
    EXPECT_LE(steps(plan), lines(plan));
    EXPECT_EQ(workOf(Rate::DramLatency, kGpu, 1 << 20), double(steps(plan)));
    EXPECT_EQ(others(plan) * 128, 4 * kGpu.l2Bytes) << "four times the L2 is written in between";
    EXPECT_LE(lines(plan) * 128, kGpu.l2Bytes / 4);
}

TEST(CalibrationKernels, footprintsFitTheirCacheOnEveryGpuOfTheTable)
{
    for (const analysis::DeviceModel& device : analysis::deviceTable()) {
        GpuProperties gpu = kGpu;
        gpu.sms = device.sms;
        gpu.l2Bytes = std::uint64_t(device.l2Bytes);
        const auto bytes = [&](Rate rate, std::size_t argument) {
            const auto plan = calibrationPlan(rate, gpu, 16);
            const auto& buffer = std::get<BufferPlan>(plan.arguments[argument]);
            return double(buffer.count) * bytesOf(buffer.type);
        };
        EXPECT_LE(bytes(Rate::L2Read, 1), 0.67 * device.l2Bytes) << device.name;
        EXPECT_GE(bytes(Rate::L2Read, 1), 0.2 * device.l2Bytes) << device.name;
        EXPECT_LE(bytes(Rate::L2Write, 0), 0.26 * device.l2Bytes) << device.name;
        EXPECT_LE(bytes(Rate::L1Sectors, 1), 32 * 1024) << device.name;
        EXPECT_LE(bytes(Rate::L2Latency, 1), 0.25 * device.l2Bytes) << device.name;
    }
}

TEST(CalibrationKernels, areMachineCodeForEveryGpuOfTheTable)
{
    NEEDS_COMPILER();
    for (const auto& [major, minor] :
        { std::pair(7, 5), std::pair(8, 6), std::pair(9, 0), std::pair(12, 0) }) {
        const auto cubin = compileToCubin(calibrationPlan(Rate::Empty, kGpu, 0),
            { .computeMajor = major, .computeMinor = minor });
        if (!cubin && cubin.error().code == ErrorCode::NoCompiler)
            GTEST_SKIP() << "NVRTC is missing";
        ASSERT_TRUE(cubin) << major << '.' << minor << ": " << cubin.error().detail;
        EXPECT_EQ(cubin->entry, "empty") << "names are C's: one machine code serves all kernels";
        const std::string image(cubin->image.begin(), cubin->image.end());
        for (int rate = 0; rate < kRates; ++rate)
            EXPECT_NE(image.find(".text." + std::string(entryOf(Rate(rate)))), std::string::npos)
                << entryOf(Rate(rate));
    }
}

} // namespace coalescope::kernels
