// SPDX-License-Identifier: Apache-2.0
// A whole calibration, through the job protocol and its processes, on a fake GPU whose rates are
// known.
#include "fake_calibration.h"
#include "kernels/compile/compiler.h"
#include "kernels/launch/calibrate_kernels.h"
#include "kernels/launch/child_process.h"
#include "kernels/launch/job.h"
#include "kernels/launch/target.h"
#include "test_plans.h"
#include "tests/environment.h"

#include <gtest/gtest.h>

#include <filesystem>

#include <dlfcn.h>

namespace coalescope::kernels {

namespace {

Result<DeviceRow> calibrateOn(const char* gpu, std::vector<std::string>* stages = nullptr)
{
    const Environment scenario("COALESCOPE_FAKE_GPU", gpu);
    return calibrateOnTarget("", [stages](const MeasureProgress& progress) {
        if (stages && (stages->empty() || stages->back() != progress.stage))
            stages->push_back(progress.stage);
    });
}

#define NEEDS_RATES()                                                                              \
    if (!compileToCubin(calibrationPlan(Rate::Empty, {}, 0), {}))                                  \
    GTEST_SKIP() << "NVRTC is missing: no cubin can be made"

} // namespace

TEST(Calibrate, findsTheRatesOfTheGpu)
{
    NEEDS_RATES();
    std::vector<std::string> stages;
    const auto row = calibrateOn("calibrate", &stages);
    ASSERT_TRUE(row) << row.error().detail;
    EXPECT_EQ(row->name, "h200");
    EXPECT_EQ(row->fullName, "NVIDIA H200");
    EXPECT_EQ(row->date.size(), std::string("2026-01-01T00:00:00Z").size());
    const analysis::DeviceModel& model = row->model;
    EXPECT_TRUE(model.verified);
    EXPECT_FALSE(model.errorsRecorded)
        << "its rates are measured, the time model was fitted elsewhere";
    EXPECT_EQ(model.sms, 132);
    EXPECT_EQ(model.sharedReserved, 1024);
    EXPECT_EQ(model.l1AndSharedPerSm, 256 * 1024) << "from its compute capability";
    EXPECT_NEAR(model.clockGHz, fake::kFakeClockGHz, 0.001);
    EXPECT_NEAR(model.dramBytesPerNs, fake::kFakeCopyBytesPerNs, 4)
        << "the launch's own cost is not in it";
    EXPECT_NEAR(model.dramReadBytesPerNs, fake::kFakeReadBytesPerNs, 5);
    EXPECT_NEAR(model.l2SectorsPerNs * 32, fake::kFakeL2ReadBytesPerNs, 8);
    EXPECT_NEAR(model.l2WriteSectorsPerNs * 32, fake::kFakeL2WriteBytesPerNs, 5);
    EXPECT_NEAR(model.l1SectorsPerClock, fake::kFakeL1Sectors, 0.01);
    EXPECT_NEAR(model.lsuTagsPerClock, fake::kFakeL1Tags, 0.01);
    EXPECT_NEAR(model.sharedWavefrontsPerClock, fake::kFakeConflicts, 0.01)
        << "the slower of the two kernels";
    EXPECT_NEAR(model.l1LatencyNs, fake::kFakeL1Ns, 0.1);
    EXPECT_NEAR(model.l2LatencyNs, fake::kFakeL2Ns, 0.1);
    EXPECT_NEAR(model.dramLatencyNs, fake::kFakeDramNs, 0.1);
    EXPECT_NEAR(model.sharedLatencyNs, fake::kFakeSharedNs, 0.1);
    EXPECT_NEAR(model.launchNs, fake::kFakeLaunchNs, 1);
    EXPECT_EQ(row->launchFrom, "launches in a row") << "no profiler works on a fake GPU";
    EXPECT_EQ(stages,
        (std::vector<std::string> { "compile", "clock", "L1", "shared memory", "L2", "DRAM",
            "latencies", "empty kernel" }));
}

TEST(Calibrate, withoutDriverSaysSo)
{
    if (dlopen("libcuda.so.1", RTLD_NOW))
        GTEST_SKIP() << "this machine has a driver";
    const auto row = calibrateOnTarget("");
    ASSERT_FALSE(row);
    EXPECT_EQ(row.error().code, ErrorCode::NoDriver);
}

TEST(Calibrate, kernelThatReportsNoTimeIsAnError)
{
    NEEDS_RATES();
    const auto row = calibrateOn("calibrate-silent");
    ASSERT_FALSE(row);
    EXPECT_EQ(row.error().code, ErrorCode::LaunchFailed);
    EXPECT_NE(row.error().detail.find("no time for the calibration's kernel 'shared_rows'"),
        std::string::npos)
        << row.error().detail;
}

TEST(Calibrate, worksBehindAPrefix)
{
    NEEDS_RATES();
    const Environment remote(
        "COALESCOPE_REMOTE", std::filesystem::read_symlink("/proc/self/exe").c_str());
    const Environment scenario("COALESCOPE_FAKE_GPU", "no-device");
    // Here is no GPU; the prefix gives the other side one.
    const auto row = calibrateOnTarget("env COALESCOPE_FAKE_GPU=calibrate");
    ASSERT_TRUE(row) << row.error().detail;
    EXPECT_EQ(row->name, "h200");
}

TEST(Calibrate, anotherAnswerThanADeviceIsTheTargetsFault)
{
    const auto row = calibrateOnTarget(R"(sh -c 'echo "{\"gpu\":{\"name\":\"x\"}}"' sh)");
    ASSERT_FALSE(row);
    EXPECT_EQ(row.error().code, ErrorCode::TargetFailed);
}

} // namespace coalescope::kernels
