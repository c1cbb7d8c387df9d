// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/device_row.h"

#include "kernels/launch/device_files.h"
#include "test_plans.h"
#include "tests/environment.h"
#include "tests/folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace coalescope::kernels {

namespace {

using Json = nlohmann::ordered_json;

DeviceRow row()
{
    DeviceRow row { .name = "quantum-z9",
        .fullName = "NVIDIA Quantum Z9",
        .driver = "580.1",
        .date = "2026-11-20T08:00:00Z",
        .model = **analysis::deviceNamed("rtx4090") };
    row.model.l2LatencyNs = 123.5;
    return row;
}

/// The row's JSON with one member changed.
std::string with(const char* key, const Json& value)
{
    Json document = Json::parse(toJson(row()));
    document[key] = value;
    return document.dump();
}

} // namespace

TEST(DeviceRow, survivesTheRoundTrip)
{
    const auto read = deviceRowFromJson(toJson(row(), 2));
    ASSERT_TRUE(read) << read.error().detail;
    EXPECT_EQ(toJson(*read), toJson(row()));
    EXPECT_EQ(read->model.l2LatencyNs, 123.5);
    EXPECT_TRUE(read->model.verified) << "a file is written by a calibration";
    EXPECT_FALSE(read->model.errorsRecorded);
    EXPECT_EQ(read->model.sharedCarveOuts.back(), 100) << "from the compute capability";
}

TEST(DeviceRow, ofAnUnknownComputeCapabilityHasNoCarveOuts)
{
    const auto read = deviceRowFromJson(with("compute_major", 42));
    ASSERT_TRUE(read) << read.error().detail;
    EXPECT_TRUE(read->model.sharedCarveOuts.empty());
    EXPECT_FALSE(analysis::l1BytesAfterCarveOut(read->model, 1024, 1));
}

struct BadFile {
    const char* name;
    std::string text;
    const char *where, *said;
};
class DeviceRowErrors : public testing::TestWithParam<BadFile> { };

TEST_P(DeviceRowErrors, nameTheField)
{
    const auto read = deviceRowFromJson(GetParam().text);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::BadInput);
    EXPECT_EQ(read.error().where, GetParam().where) << read.error().detail;
    EXPECT_NE(read.error().detail.find(GetParam().said), std::string::npos) << read.error().detail;
}

INSTANTIATE_TEST_SUITE_P(, DeviceRowErrors,
    testing::Values(BadFile { "noJson", "{\"name\":", "", "no valid JSON" },
        BadFile { "noObject", "[1]", "", "a JSON object" },
        BadFile { "newerFormat", with("format", 3), "format", "is 3" },
        BadFile { "olderFormat", with("format", 1), "format", "run coalescope calibrate again" },
        BadFile { "noName", with("name", nullptr), "name", "is no text" },
        BadFile { "pathAsName", with("name", "../h200"), "name", "small letters" },
        BadFile { "emptyName", with("name", ""), "name", "0 characters" },
        BadFile { "controlCharacter", with("full_name", "a\nb"), "full_name", "control character" },
        BadFile { "text", with("clock_ghz", "fast"), "clock_ghz", "is no number" },
        BadFile { "negative", with("dram_bytes_per_ns", -3), "dram_bytes_per_ns", "is -3" },
        BadFile { "huge", with("launch_ns", 1e300), "launch_ns", "is 1e+300" },
        BadFile { "half", with("sms", 1.5), "sms", "no whole number" },
        BadFile { "zeroSms", with("sms", 0), "sms", "is 0, and 1 to" }),
    [](const auto& info) { return std::string(info.param.name); });

TEST(DeviceRow, missingFieldIsNamed)
{
    Json document = Json::parse(toJson(row()));
    document.erase("l2_sectors_per_ns");
    const auto read = deviceRowFromJson(document.dump());
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().detail, "the field 'l2_sectors_per_ns' is missing");
}

TEST(DeviceFiles, goodOnesAreAddedBadOnesReportedWithTheirFile)
{
    const Folder folder;
    folder.write("a.json", toJson(row(), 2));
    folder.write("b.json", with("clock_ghz", 0));
    folder.write("c.json", toJson(row())); // the same name again
    folder.write("d.json.part", "half a file");
    std::filesystem::create_directory(folder.path() / "e.json");
    const auto problems = loadCalibratedDevices(folder.path());
    ASSERT_EQ(problems.size(), 3u);
    EXPECT_TRUE(problems[0].where.ends_with("b.json"));
    EXPECT_NE(problems[0].detail.find("'clock_ghz'"), std::string::npos) << problems[0].detail;
    EXPECT_NE(problems[1].detail.find("already"), std::string::npos) << problems[1].detail;
    EXPECT_EQ(problems[2].code, ErrorCode::FileFailed);
    const auto device = analysis::deviceNamed("quantum-z9");
    ASSERT_TRUE(device);
    EXPECT_EQ((*device)->origin, "calibrated here on 2026-11-20, driver 580.1");
    EXPECT_TRUE((*device)->verified);
}

TEST(DeviceFiles, noFolderIsNoProblem)
{
    EXPECT_TRUE(loadCalibratedDevices("/nonexistent/folder").empty());
}

TEST(DeviceFiles, lieInTheUsersConfiguration)
{
    const Environment home("HOME", "/home/someone");
    const Environment config("XDG_CONFIG_HOME", "/etc/someone");
    EXPECT_EQ(deviceFolder(), "/etc/someone/coalescope/devices");
    const Environment relative("XDG_CONFIG_HOME", "here");
    EXPECT_EQ(deviceFolder(), "/home/someone/.config/coalescope/devices");
}

} // namespace coalescope::kernels
