// SPDX-License-Identifier: Apache-2.0
// Registers and resident blocks against the driver's word on the recorded launches.
#include "kernels/compile/nvrtc.h"
#include "kernels/experiment/predict.h"
#include "kernels/experiment/recorded.h"

#include <gtest/gtest.h>

using namespace coalescope;

namespace {

TEST(RecordedOccupancy, registersAndBlocksOfAnSmEqualTheDriversForEveryLaunch)
{
    const kernels::Nvrtc* nvrtc = kernels::Nvrtc::instance();
    if (!nvrtc || nvrtc->version() != "NVRTC 13.0")
        GTEST_SKIP() << "the launches were compiled by NVRTC 13.0; another may take other registers";
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "compiles every launch's program: minutes, and nothing new for the sanitizers";
#endif
    int compared = 0;
    for (const analysis::RunResult& measured : kernels::recordedMeasurements()) {
        const auto plan = kernels::planLaunch(
            **kernels::kernelNamed(measured.kernel), measured.launch.parameters);
        ASSERT_TRUE(plan) << plan.error().detail;
        const auto predicted = kernels::predict(*plan, { .device = measured.device, .verify = false });
        ASSERT_TRUE(predicted) << predicted.error().detail;
        const analysis::Occupancy &ours = *predicted->result.occupancy, &theirs = *measured.occupancy;
        const auto where = testing::Message() << measured.kernel << ' ' << plan->block.x << " x " << plan->block.y;
        EXPECT_EQ(ours.registersPerThread, theirs.registersPerThread) << where;
        EXPECT_EQ(ours.limiter, theirs.limiter) << where;
        if (ours.limiter == "grid") { // the driver says what would fit
            EXPECT_LT(ours.blocksPerSm, theirs.blocksPerSm) << where;
        } else {
            EXPECT_EQ(ours.blocksPerSm, theirs.blocksPerSm) << where;
            EXPECT_EQ(ours.warpsPerSm, theirs.warpsPerSm) << where;
        }
        ++compared;
    }
    EXPECT_GE(compared, 200);
}

} // namespace
