// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/device_model.h"

#include <gtest/gtest.h>

namespace coalescope::analysis {

TEST(DeviceTable, theH200IsFirstAndMeasured)
{
    const DeviceModel& h200 = deviceTable().front();
    EXPECT_EQ(h200.name, "h200");
    EXPECT_TRUE(h200.verified);
    EXPECT_EQ(h200.sms, 132);
    EXPECT_EQ(h200.sharedPerSm, 233472);
    EXPECT_EQ(h200.sharedPerBlockOptIn, 232448);
    EXPECT_EQ(h200.l2Bytes, 62914560);
}

TEST(DeviceTable, everyGpuIsFoundByItsName)
{
    for (const char* name : { "h200", "h100-sxm", "h100-pcie", "a100-40", "a100-80", "l40s", "l4",
             "a10", "t4", "v100", "rtx3060", "rtx3090", "rtx4070", "rtx4090", "rtx5090", "orin" }) {
        const auto device = deviceNamed(name);
        ASSERT_TRUE(device) << name;
        EXPECT_EQ((*device)->name, name);
    }
}

TEST(DeviceTable, onlyMeasuredRatesAreVerified)
{
    for (const DeviceModel& device : deviceTable())
        EXPECT_EQ(device.verified, device.name == "h200") << device.name;
}

TEST(DeviceTable, everyRowIsPlausible)
{
    for (const DeviceModel& device : deviceTable()) {
        EXPECT_GE(device.maxWarpsPerSm * 32, device.maxThreadsPerBlock) << device.name;
        EXPECT_LE(device.sharedPerBlock, device.sharedPerBlockOptIn) << device.name;
        EXPECT_LE(device.sharedPerBlockOptIn + device.sharedReserved, device.sharedPerSm)
            << device.name;
        EXPECT_GT(device.l2SectorsPerNs * 32, device.dramBytesPerNs) << device.name;
        EXPECT_GT(device.lsuTagsPerClock, 0) << device.name;
        EXPECT_GT(device.launchNs, 0) << device.name;
    }
}

TEST(DeviceTable, unknownNameSaysTheNearestAndAll)
{
    const auto device = deviceNamed("rtx4080");
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().code, ErrorCode::UnknownDevice);
    EXPECT_NE(device.error().detail.find("nearest is \"rtx40"), std::string::npos)
        << device.error().detail;
    for (const DeviceModel& row : deviceTable())
        EXPECT_NE(device.error().detail.find(row.name), std::string::npos) << row.name;
}

} // namespace coalescope::analysis
