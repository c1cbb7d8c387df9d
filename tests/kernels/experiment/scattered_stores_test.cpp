// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/scattered_stores.h"

#include "analysis/device/cache_model.h"
#include "tests/counted_launches.h"
#include "tests/predicted_launch.h"
#include "tests/swept_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace coalescope;
using analysis::Metric;
using kernels::Meetings;

/// How stores of a launch of scattered.cu meet, of which each moves eight bytes.
Meetings meetingsOf(const std::string& launch)
{
    constexpr double kStores = 4, kSectors = 8388608 / kStores, kInstructions = 20 * 8;
    return meetingsOfStores(predictedLaunch(testKernel("kernels/experiment/scattered.cu"), launch), kSectors, kStores, kInstructions);
}

TEST(ScatteredStores, meetAsChanceHasItWhereTheirPlacesAreDrawn)
{
    EXPECT_EQ(meetingsOf("scattered kind=shuffle"), Meetings::Chance);
}

TEST(ScatteredStores, meetInFewerSectorsWhereTheirPlacesAreStepsOfOneLength)
{
    EXPECT_EQ(meetingsOf("scattered kind=scatter"), Meetings::Fewer);
    const auto result = predictedLaunch(testKernel("kernels/experiment/scattered.cu"), "scattered kind=scatter").result;
    EXPECT_TRUE(std::ranges::any_of(result.hazards, [](const analysis::Hazard& hazard) { return hazard.detail.contains("far from each other fill the same sectors"); }));
}

// h200_scattered.csv: counters and times of an H200.
TEST(ScatteredStores, areCompletedFromDramAsOftenAsAnH200Does)
{
    const auto spec = testKernel("kernels/experiment/scattered.cu");
    int rows = 0;
    for (const auto& [launch, measured] : countedLaunches("kernels/experiment/h200_scattered.csv")) {
        const auto result = predictedLaunch(spec, launch).result;
        EXPECT_NEAR(*result.time.warmNs / 1e3 / measured[0], 1, 0.25) << launch;
        EXPECT_NEAR(*result.metrics.get(Metric::L2WriteSectors) / measured[1], 1, 0.1) << launch;
        EXPECT_NEAR(*result.metrics.get(Metric::DramReadSectors) / measured[2], 1, 0.37) << launch;
        ++rows;
    }
    EXPECT_EQ(rows, 6);
}

TEST(ScatteredStores, costDramNothingWhereTheL2KeepsAll)
{
    const analysis::DeviceModel& h200 = **analysis::deviceNamed("h200");
    analysis::Traffic traffic { .blocks = 4096, .wholeBlocks = 4096 };
    traffic.scatteredSectors = 65536;
    traffic.scatteredStores = 4;
    traffic.writeBytes = traffic.writeLineBytes = traffic.readBytes = traffic.readLineBytes = 65536 * 32;
    EXPECT_EQ(dramTraffic(h200, traffic, 1056, analysis::L2State::Profiled).scatteredCompleted, 0);
    for (double* bytes : { &traffic.writeBytes, &traffic.writeLineBytes, &traffic.readBytes, &traffic.readLineBytes, &traffic.scatteredSectors })
        *bytes *= 64;
    const analysis::DramTraffic dram = dramTraffic(h200, traffic, 1056, analysis::L2State::Profiled);
    EXPECT_GT(dram.scatteredCompleted, traffic.scatteredSectors);
    EXPECT_LT(dram.scatteredCompleted, traffic.scatteredSectors * traffic.scatteredStores);
    EXPECT_LE(dram.scatteredAgain, dram.scatteredCompleted);
}

} // namespace
