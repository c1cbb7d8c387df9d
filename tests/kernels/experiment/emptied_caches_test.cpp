// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/kernel_spec.h"
#include "tests/predicted_launch.h"

#include <array>
#include <cmath>

namespace {

using namespace coalescope;
using analysis::Metric;

constexpr double kFewSectors = 10'000; ///< of fewer a relative error says nothing

/// Mean absolute relative errors of what is estimated for emptied caches, over h200_emptied.csv.
class EmptiedCaches : public testing::Test {
protected:
    static constexpr std::array kMetrics { Metric::Duration, Metric::DramReadSectors, Metric::DramWriteSectors, Metric::L2ReadSectors, Metric::L2WriteSectors };

    static void SetUpTestSuite()
    {
        std::array<double, kMetrics.size()> sums {}, rows {};
        for (const auto& [launch, counted] : countedLaunches("kernels/experiment/h200_emptied.csv")) {
            const auto kernel = kernels::kernelNamed(settingsOf(launch).kernel);
            ASSERT_TRUE(kernel) << launch;
            const analysis::RunResult result = predictedLaunch(**kernel, launch).result;
            s_ofProfiled += std::abs(result.metrics.get(Metric::Duration).value() / counted[0] - 1);
            for (std::size_t i = 0; i < kMetrics.size(); ++i) {
                if (kMetrics[i] != Metric::Duration && counted[i] < kFewSectors)
                    continue;
                sums[i] += std::abs(result.emptied.get(kMetrics[i]).value_or(0) / counted[i] - 1);
                ++rows[i];
            }
        }
        ASSERT_GE(rows[0], 40);
        for (std::size_t i = 0; i < kMetrics.size(); ++i)
            s_errors[kMetrics[i]] = sums[i] / rows[i];
        s_ofProfiled /= rows[0];
    }

    static inline std::map<Metric, double> s_errors;
    static inline double s_ofProfiled = 0; ///< of the duration that is estimated for a profiler that leaves the caches alone
};

TEST_F(EmptiedCaches, dramReadsWhatTheLaunchTouches)
{
    EXPECT_LT(s_errors[Metric::DramReadSectors], 0.01);
}

TEST_F(EmptiedCaches, theL2sSectorsFollowTheCounters)
{
    EXPECT_LT(s_errors[Metric::L2ReadSectors], 0.02);
    EXPECT_LT(s_errors[Metric::L2WriteSectors], 0.01);
}

TEST_F(EmptiedCaches, theDurationIsNearerThanThatOfCachesLeftAlone)
{
    EXPECT_LT(s_errors[Metric::Duration], 0.07);
    EXPECT_GT(s_ofProfiled, 1.5 * s_errors[Metric::Duration]);
}

TEST_F(EmptiedCaches, whatIsWrittenBackIsWithinAHalf)
{
    EXPECT_LT(s_errors[Metric::DramWriteSectors], 0.5);
}

} // namespace
