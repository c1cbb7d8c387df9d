// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/device_model.h"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(DeviceTable, whereRatesWereMeasuredLaunchesWereRecordedAsWell)
{
    for (const DeviceModel& device : deviceTable()) {
        EXPECT_EQ(device.verified, device.name == "h200" || device.name == "h100-sxm") << device.name;
        EXPECT_EQ(device.errorsRecorded, device.verified) << device.name;
    }
}

TEST(DeviceTable, peakBandwidthIsTheDataSheets)
{
    const struct {
        const char* name;
        double peakGBps;
    } sheets[] = { { "h100-pcie", 2039 }, { "a100-40", 1555 }, { "a100-80", 2039 },
        { "l40s", 864 }, { "l4", 300 }, { "a10", 600 }, { "t4", 320 }, { "v100", 900 }, { "rtx3060", 360 },
        { "rtx3090", 936 }, { "rtx4070", 504 }, { "rtx4090", 1008 }, { "rtx5090", 1792 }, { "orin", 204.8 } };
    for (const auto& [name, peakGBps] : sheets)
        EXPECT_NEAR((*deviceNamed(name))->dramBytesPerNs / 0.88, peakGBps, 0.003 * peakGBps) << name;
    for (const auto& [name, peakGBps] : { std::pair("h200", 4800), std::pair("h100-sxm", 3350) }) // measured
        EXPECT_NEAR((*deviceNamed(name))->dramBytesPerNs / peakGBps, 0.88, 0.03) << name;
    EXPECT_EQ(std::size(sheets) + 2, deviceTable().size());
}

TEST(DeviceTable, driverNamesTellTheProductsApart)
{
    const struct {
        const char* driverName;
        int sms;
        const char* device;
    } names[] = { { "NVIDIA H200", 132, "h200" }, { "NVIDIA H100 80GB HBM3", 132, "h100-sxm" },
        { "NVIDIA H100 PCIe", 114, "h100-pcie" }, { "NVIDIA A100-SXM4-40GB", 108, "a100-40" },
        { "Tesla V100-SXM2-32GB", 80, "v100" }, { "Tesla T4", 40, "t4" }, { "Orin", 16, "orin" } };
    for (const auto& [driverName, sms, device] : names) {
        const DeviceModel* row = deviceOfDriverName(driverName, sms);
        ASSERT_TRUE(row) << driverName;
        EXPECT_EQ(row->name, device);
    }
    EXPECT_FALSE(deviceOfDriverName("Orin", 8)) << "another module of the same name";
    EXPECT_FALSE(deviceOfDriverName("NVIDIA A100 80GB PCIe", 108)) << "its memory is slower";
    EXPECT_FALSE(deviceOfDriverName("NVIDIA H200 NVL", 132));
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

TEST(DeviceTable, aNameThatBeginsAsWhatWasTypedIsNearerThanAnyOther)
{
    for (const auto& [typed, nearest] : { std::pair("h100", "h100-"), std::pair("a100", "a100-"), std::pair("H200", "h200"),
             std::pair("rtx", "rtx"), std::pair("h20", "h200"), std::pair("t44", "t4") })
        EXPECT_NE(deviceNamed(typed).error().detail.find(std::string("nearest is \"") + nearest), std::string::npos)
            << deviceNamed(typed).error().detail;
}

// Last: what is added stays until the program ends.
TEST(DeviceTable, zAnAddedRowStandsInForTheBuiltInOne)
{
    std::string name = "rtx4090", fullName = "NVIDIA GeForce RTX 4090";
    DeviceModel measured = **deviceNamed("rtx4090");
    measured.verified = true;
    measured.name = name;
    measured.fullName = fullName;
    measured.origin = "calibrated here on 2026-11-20, driver 580.1";
    addDevice(measured);
    measured.name = "quantum-z9";
    measured.fullName = "NVIDIA Quantum Z9";
    addDevice(measured);
    name = fullName = "overwritten";
    EXPECT_TRUE((*deviceNamed("rtx4090"))->verified);
    EXPECT_EQ((*deviceNamed("rtx4090"))->fullName, "NVIDIA GeForce RTX 4090") << "texts are copied";
    EXPECT_EQ(deviceOfDriverName("NVIDIA Quantum Z9", 128)->name, "quantum-z9");
    EXPECT_EQ(knownDevices().size(), deviceTable().size() + 1);
    EXPECT_FALSE(std::ranges::find(deviceTable(), "rtx4090", &DeviceModel::name)->verified)
        << "the table itself is as it was";
}

} // namespace coalescope::analysis
