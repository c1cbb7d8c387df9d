// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/device_model.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>

namespace coalescope::analysis {

namespace {

constexpr Dim3 kHugeGrid { 1u << 20, 1, 1 };

const DeviceModel& gpu(const char* name) { return **deviceNamed(name); }

Launch launchOf(Dim3 grid, Dim3 block, std::uint32_t dynamicShared = 0)
{
    return { .grid = grid, .block = block, .dynamicSharedBytes = dynamicShared };
}

} // namespace

// h200_occupancy.csv: cudaOccupancyMaxActiveBlocksPerMultiprocessor on an H200, driver 580.159.
TEST(Occupancy, equalsTheRuntimesAnswerInEveryRecordedRow)
{
    std::ifstream file(COALESCOPE_SOURCE_DIR "/tests/analysis/device/h200_occupancy.csv");
    std::string line;
    std::getline(file, line);
    int rows = 0;
    while (std::getline(file, line)) {
        int registers = 0, threads = 0, shared = 0, blocks = 0;
        ASSERT_EQ(
            std::sscanf(line.c_str(), "%d,%d,%d,%d", &registers, &threads, &shared, &blocks), 4);
        const Occupancy occupancy = occupancyOf(gpu("h200"), kHugeGrid,
            { std::uint32_t(threads), 1, 1 }, std::uint32_t(shared), registers);
        EXPECT_EQ(occupancy.blocksPerSm, blocks) << line;
        EXPECT_EQ(occupancy.warpsPerSm, blocks * ((threads + 31) / 32)) << line;
        ++rows;
    }
    EXPECT_EQ(rows, 1470);
}

TEST(Occupancy, namesWhatLimitsIt)
{
    const DeviceModel& h200 = gpu("h200");
    EXPECT_EQ(occupancyOf(h200, kHugeGrid, { 32, 8, 1 }, 4224, {}).limiter, "threads");
    EXPECT_EQ(occupancyOf(h200, kHugeGrid, { 32, 8, 1 }, 4224, 64).limiter, "registers");
    EXPECT_EQ(occupancyOf(h200, kHugeGrid, { 32, 8, 1 }, 65536, {}).limiter, "shared memory");
    EXPECT_EQ(occupancyOf(h200, kHugeGrid, { 32, 1, 1 }, 0, {}).limiter, "blocks");
    EXPECT_EQ(occupancyOf(h200, { 132, 1, 1 }, { 32, 8, 1 }, 0, {}).limiter, "grid");
}

TEST(Occupancy, smallGridLeavesWarpSlotsEmpty)
{
    const Occupancy occupancy = occupancyOf(gpu("h200"), { 133, 1, 1 }, { 256, 1, 1 }, 0, {});
    EXPECT_EQ(occupancy.blocksPerSm, 2);
    EXPECT_EQ(occupancy.warpsPerSm, 16);
    EXPECT_EQ(occupancy.maxWarpsPerSm, 64);
}

TEST(Occupancy, blockOf1024FitsOnceWhere1536ThreadsFit)
{
    const Occupancy occupancy = occupancyOf(gpu("rtx4090"), kHugeGrid, { 32, 32, 1 }, 0, {});
    EXPECT_EQ(occupancy.blocksPerSm, 1);
    EXPECT_EQ(occupancy.warpsPerSm, 32);
}

TEST(Occupancy, olderChipsReserveNoSharedMemory)
{
    EXPECT_EQ(occupancyOf(gpu("v100"), kHugeGrid, { 32, 1, 1 }, 48 * 1024, {}).blocksPerSm, 2);
    EXPECT_EQ(occupancyOf(gpu("a100-40"), kHugeGrid, { 32, 1, 1 }, 41 * 1024, {}).blocksPerSm, 3);
}

TEST(Occupancy, whatDoesNotFitHasNoBlock)
{
    const Occupancy occupancy = occupancyOf(gpu("h200"), kHugeGrid, { 1024, 1, 1 }, 0, 128);
    EXPECT_EQ(occupancy.blocksPerSm, 0);
    EXPECT_EQ(occupancy.limiter, "registers");
}

TEST(Occupancy, unknownRegistersStayUnknown)
{
    EXPECT_FALSE(occupancyOf(gpu("h200"), kHugeGrid, { 256, 1, 1 }, 0, {}).registersPerThread);
    EXPECT_EQ(occupancyOf(gpu("h200"), kHugeGrid, { 256, 1, 1 }, 0, 40).registersPerThread, 40);
}

TEST(CheckLaunch, acceptsTheLargestLegalLaunch)
{
    const DeviceModel& h200 = gpu("h200");
    EXPECT_TRUE(checkLaunch(h200, launchOf({ 2147483647, 65535, 65535 }, { 16, 1, 64 }), 49152));
    EXPECT_TRUE(checkLaunch(h200, launchOf({ 1, 1, 1 }, { 1024, 1, 1 }, 232448), 0));
}

TEST(CheckLaunch, refusesWhatIsOverALimitAndSaysWhich)
{
    const DeviceModel& h200 = gpu("h200");
    const struct {
        Launch launch;
        std::uint32_t staticShared;
        const char *where, *said;
    } cases[] = {
        { launchOf({ 1, 65536, 1 }, { 32, 8, 1 }), 0, "grid", "65536" },
        { launchOf({ 1, 1, 65536 }, { 32, 8, 1 }), 0, "grid", "65535" },
        { launchOf({ 1, 1, 1 }, { 64, 32, 1 }), 0, "block", "2048" },
        { launchOf({ 1, 1, 1 }, { 1, 1, 65 }), 0, "block", "65" },
        { launchOf({ 1, 1, 1 }, { 1u << 31, 1u << 31, 4 }), 0, "block", "2147483648" },
        { launchOf({ 0, 1, 1 }, { 32, 8, 1 }), 0, "grid", "empty" },
        { launchOf({ 1, 1, 1 }, { 32, 0, 1 }), 0, "block", "empty" },
        { launchOf({ 1, 1, 1 }, { 32, 8, 1 }), 49153, "shared", "49153" },
        { launchOf({ 1, 1, 1 }, { 32, 8, 1 }, 232448), 1, "shared", "232449" },
        { launchOf({ 1, 1, 1 }, { 32, 8, 1 }, 0xffffffffu), 1, "shared", "4294967296" },
    };
    for (const auto& test : cases) {
        const auto legal = checkLaunch(h200, test.launch, test.staticShared);
        ASSERT_FALSE(legal) << test.said;
        EXPECT_EQ(legal.error().code, ErrorCode::IllegalLaunch);
        EXPECT_EQ(legal.error().where, test.where) << legal.error().detail;
        EXPECT_NE(legal.error().detail.find(test.said), std::string::npos) << legal.error().detail;
    }
}

} // namespace coalescope::analysis
