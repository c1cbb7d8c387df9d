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

// occupancy_rules.csv: cudaOccMaxActiveBlocksPerMultiprocessor of CUDA 13.0's cuda_occupancy.h, for the
// compute capabilities of the table. Block slots and allocation units are the header's, not ours.
TEST(Occupancy, equalsTheVendorsCalculatorForEveryComputeCapability)
{
    std::ifstream file(COALESCOPE_SOURCE_DIR "/tests/analysis/device/occupancy_rules.csv");
    std::string line;
    std::getline(file, line);
    int rows = 0;
    while (std::getline(file, line)) {
        int major = 0, minor = 0, registers = 0, threads = 0, shared = 0, blocks = 0;
        ASSERT_EQ(std::sscanf(line.c_str(), "%d.%d,%d,%d,%d,%d", &major, &minor, &registers,
                      &threads, &shared, &blocks),
            6);
        const DeviceModel* model = architectureOf(major, minor);
        ASSERT_TRUE(model) << line;
        DeviceModel device = *model;
        device.sms = 1;
        EXPECT_EQ(occupancyOf(device, kHugeGrid, { std::uint32_t(threads), 1, 1 },
                      std::uint32_t(shared), registers)
                      .blocksPerSm,
            blocks)
            << line;
        ++rows;
    }
    EXPECT_EQ(rows, 2952);
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

TEST(CarveOut, isTheSmallestThatHoldsTheBlocks)
{
    constexpr std::uint64_t kKiB = 1024;
    EXPECT_EQ(l1BytesAfterCarveOut(gpu("h200"), 33 * 1024, 6), 28 * kKiB); // 204 of 228 KiB
    EXPECT_EQ(l1BytesAfterCarveOut(gpu("h200"), 4096, 8), 192 * kKiB); // 40 KiB: 64
    EXPECT_EQ(l1BytesAfterCarveOut(gpu("a100-80"), 0, 8), 184 * kKiB); // the system's 1 KiB a block
    EXPECT_EQ(l1BytesAfterCarveOut(gpu("v100"), 0, 8), 128 * kKiB);
    EXPECT_EQ(l1BytesAfterCarveOut(gpu("t4"), 0, 1), 64 * kKiB) << "32 KiB is Turing's least";
    EXPECT_EQ(l1BytesAfterCarveOut(gpu("t4"), 33 * 1024, 1), 32 * kKiB);
}

TEST(CarveOut, isUnknownWhereTheBlocksDoNotFitOrTheChipIsNotKnown)
{
    EXPECT_FALSE(l1BytesAfterCarveOut(gpu("rtx4090"), 60 * 1024, 2));
    EXPECT_FALSE(l1BytesAfterCarveOut({}, 1024, 1));
}

/// What published Nsight Compute reports print: occupancy's inputs and "Shared Memory Configuration Size".
struct PublishedReport {
    int major, minor, threads, registers, shared, configuredKiB;
};
constexpr PublishedReport kPublishedReports[] {
    { 8, 9, 512, 54, 29824, 64 }, // NVIDIA L4
    { 8, 9, 128, 80, 43776, 100 },
    { 8, 9, 256, 48, 12288, 100 },
    { 8, 9, 256, 48, 8192, 64 },
    { 8, 9, 256, 54, 16384, 100 },
    { 8, 9, 256, 39, 8192, 64 },
    { 8, 9, 256, 72, 33024, 100 },
    { 10, 0, 384, 168, 205696, 228 }, // as 9.0 in what matters here
    { 8, 6, 256, 16, 0, 8 },
    { 8, 0, 256, 16, 0, 32 }, // NVIDIA A100: from here on more than the blocks need
    { 8, 9, 256, 40, 640, 32 }, // NVIDIA L4
    { 8, 9, 256, 16, 0, 16 }, // GeForce RTX 4090
    { 12, 0, 256, 40, 0, 16 }, // GeForce RTX 5090
};

TEST(CarveOut, agreesWithPublishedReportsWhereBlocksUseMoreThan16KiB)
{
    for (const PublishedReport& report : kPublishedReports) {
        DeviceModel device
            = *(report.major == 10 ? architectureOf(9, 0) : architectureOf(report.major, report.minor));
        device.sms = 1;
        const int blocks = occupancyOf(device, kHugeGrid, { std::uint32_t(report.threads), 1, 1 },
            std::uint32_t(report.shared), report.registers)
                               .blocksPerSm;
        const auto l1 = l1BytesAfterCarveOut(device, std::uint32_t(report.shared), blocks);
        ASSERT_TRUE(l1);
        const int carveOutKiB = int((std::uint64_t(device.l1AndSharedPerSm) - *l1) / 1024);
        const auto where = testing::Message() << report.major << '.' << report.minor << ' '
                                              << report.shared << " bytes, " << blocks << " blocks";
        if (blocks * (report.shared + device.sharedReserved) > 16 * 1024) {
            EXPECT_EQ(carveOutKiB, report.configuredKiB) << where;
        }
        EXPECT_LE(carveOutKiB, report.configuredKiB) << where << ": the driver may take more, never less";
    }
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

TEST(CheckLaunch, refusesBuffersThatAreMoreThanTheGpuHas)
{
    Launch launch = launchOf({ 1, 1, 1 }, { 32, 1, 1 });
    for (const char* name : { "from", "to" })
        launch.buffers.push_back({ .name = name, .bytes = std::uint64_t(10) << 30 });
    EXPECT_TRUE(checkLaunch(gpu("rtx4090"), launch, 0)) << "20 of 24 GiB";
    const auto legal = checkLaunch(gpu("t4"), launch, 0);
    ASSERT_FALSE(legal);
    EXPECT_EQ(legal.error().code, ErrorCode::IllegalLaunch);
    EXPECT_EQ(legal.error().where, "buffers");
    EXPECT_NE(legal.error().detail.find("take 20.0 GiB"), std::string::npos) << legal.error().detail;
    DeviceModel unknown = gpu("t4");
    unknown.memoryBytes = 0;
    EXPECT_TRUE(checkLaunch(unknown, launch, 0)) << "a calibrated GPU's memory is not recorded";
}

TEST(CheckLaunch, refusesABlockWhoseRegistersAnSmDoesNotHave)
{
    const DeviceModel& h200 = gpu("h200");
    const Launch launch = launchOf({ 1, 1, 1 }, { 32, 32, 1 });
    EXPECT_TRUE(checkLaunch(h200, launch, 0, 64)) << "65,536 registers";
    const auto legal = checkLaunch(h200, launch, 0, 65);
    ASSERT_FALSE(legal);
    EXPECT_EQ(legal.error().code, ErrorCode::IllegalLaunch);
    EXPECT_NE(legal.error().detail.find("1024 threads with 65 registers"), std::string::npos);
}

TEST(CheckLaunch, blocksThatWaitForEachOtherMustAllBeResident)
{
    const DeviceModel& h200 = gpu("h200");
    EXPECT_TRUE(checkCooperative(h200, launchOf({ 132, 8, 1 }, { 256, 1, 1 }), 0, 32));
    for (const auto& [grid, registers, most] : { std::tuple(1057u, 32, "1056"), std::tuple(1056u, 40, "792") }) {
        const auto legal = checkCooperative(h200, launchOf({ grid, 1, 1 }, { 256, 1, 1 }), 0, registers);
        ASSERT_FALSE(legal);
        EXPECT_EQ(legal.error().code, ErrorCode::IllegalLaunch);
        EXPECT_NE(legal.error().detail.find(most), std::string::npos) << legal.error().detail;
    }
}

TEST(CheckLaunch, launchBoundsLimitTheThreadsOfABlockHoweverTheyLie)
{
    Program program;
    EXPECT_TRUE(checkLaunchBounds(program, { 4, 1, 1 }, { 1024, 1, 1 })) << "it has none";
    program.maxThreads = 256;
    EXPECT_TRUE(checkLaunchBounds(program, { 4, 1, 1 }, { 256, 1, 1 }));
    EXPECT_TRUE(checkLaunchBounds(program, { 4, 1, 1 }, { 1, 16, 16 }));
    const auto legal = checkLaunchBounds(program, { 4, 1, 1 }, { 257, 1, 1 });
    ASSERT_FALSE(legal);
    EXPECT_EQ(legal.error().code, ErrorCode::IllegalLaunch);
    EXPECT_EQ(legal.error().where, "block");
    EXPECT_EQ(legal.error().detail, "a block has 257 threads, the kernel's __launch_bounds__ allow 256");
}

TEST(CheckLaunch, aGridIsAMultipleOfItsClusters)
{
    Program program;
    program.cluster = { 2, 1, 1 };
    EXPECT_TRUE(checkLaunchBounds(program, { 4, 3, 1 }, { 64, 1, 1 }));
    const auto legal = checkLaunchBounds(program, { 3, 1, 1 }, { 64, 1, 1 });
    ASSERT_FALSE(legal);
    EXPECT_EQ(legal.error().detail, "a grid of 3 x 1 x 1 blocks is no multiple of the kernel's clusters of 2 x 1 x 1");
}

TEST(CheckLaunch, aRequiredBlockIsTheOnlyOne)
{
    Program program;
    program.requiredBlock = { 16, 8, 1 };
    EXPECT_TRUE(checkLaunchBounds(program, { 4, 1, 1 }, { 16, 8, 1 }));
    EXPECT_FALSE(checkLaunchBounds(program, { 4, 1, 1 }, { 8, 8, 1 }));
    const auto legal = checkLaunchBounds(program, { 4, 1, 1 }, { 128, 1, 1 });
    ASSERT_FALSE(legal);
    EXPECT_EQ(legal.error().code, ErrorCode::IllegalLaunch);
    EXPECT_NE(legal.error().detail.find("requires 16 x 8 x 1"), std::string::npos) << legal.error().detail;
}

} // namespace coalescope::analysis
