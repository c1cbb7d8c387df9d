// SPDX-License-Identifier: Apache-2.0
// `coalescope devices`, and `coalescope calibrate` with a target that answers for a GPU.
#include "program.h"

#include <algorithm>

using namespace coalescope::cli;
using nlohmann::json;

namespace {

/// A device as a target would answer, made of a row that the program lists itself.
json calibrated(const char* likeDevice, const char* name)
{
    const json list = run({ "devices", "--json" }).json();
    json row
        = *std::ranges::find_if(list, [&](const json& one) { return one["name"] == likeDevice; });
    row.update({ { "format", 2 }, { "name", name }, { "full_name", "NVIDIA Quantum Z9" },
        { "driver", "580.1" }, { "date", "2026-11-20T08:00:00Z" }, { "launch_from", "profiler" },
        { "dram_bytes_per_ns", 1234.5 } });
    return row;
}

/// Folders of the user's configuration, and a prefix behind which a GPU answers with that row.
class CalibratedDevice : public NeedsCompiler {
protected:
    Surroundings surroundings()
    {
        return { .variables = { { "XDG_CONFIG_HOME", m_folder.at("config") } } };
    }
    std::string targetOf(const json& row)
    {
        const std::string answer
            = m_folder.write("answer", json { { "device", row } }.dump() + '\n');
        return "sh -c 'cat >/dev/null; cat " + answer + "' sh";
    }
    Folder m_folder;
};

} // namespace

TEST(Devices, areListedMeasuredOrNot)
{
    const Outcome outcome = run({ "devices" });
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.err, "");
    for (const char* name : { "h200", "h100-sxm", "h100-pcie", "a100-40", "a100-80", "l40s", "l4",
             "a10", "t4", "v100", "rtx3060", "rtx3090", "rtx4070", "rtx4090", "rtx5090", "orin" })
        EXPECT_NE(outcome.out.find(std::string("\n") + name + ' '), std::string::npos) << name;
    EXPECT_NE(outcome.out.find("measured, driver 580.159"), std::string::npos);
    EXPECT_NE(outcome.out.find("data sheet"), std::string::npos);
}

TEST(Devices, asJsonHaveEveryNumber)
{
    const json list = run({ "devices", "--json" }).json();
    ASSERT_EQ(list.size(), 16u);
    for (const json& device : list) {
        EXPECT_EQ(device["verified"], device["name"] == "h200" || device["name"] == "h100-sxm");
        EXPECT_GT(device["sms"], 0);
        EXPECT_GT(device["dram_bytes_per_ns"], 0);
        EXPECT_GE(device["shared_carve_outs_kib"].size(), 2u);
    }
}

TEST_F(CalibratedDevice, isWrittenListedAndPredictedFor)
{
    const std::string target = targetOf(calibrated("rtx4090", "quantum-z9"));
    const Outcome calibration = run({ "calibrate", "--target", target }, surroundings());
    ASSERT_EQ(calibration.status, 0) << calibration.err;
    EXPECT_NE(calibration.out.find("NVIDIA Quantum Z9, driver 580.1"), std::string::npos)
        << calibration.out;
    EXPECT_NE(calibration.out.find("1234"), std::string::npos);
    EXPECT_NE(calibration.out.find("--device quantum-z9"), std::string::npos);
    EXPECT_EQ(json::parse(
                  m_folder.read("config/coalescope/devices/quantum-z9.json"))["dram_bytes_per_ns"],
        1234.5);

    const Outcome listed = run({ "devices" }, surroundings());
    EXPECT_NE(listed.out.find("calibrated here on 2026-11-20, driver 580.1"), std::string::npos)
        << listed.out;
    const Outcome predicted = run(
        { "predict", "copy", "--device", "quantum-z9", "--no-verify", "--json" }, surroundings());
    ASSERT_EQ(predicted.status, 0) << predicted.err;
    EXPECT_EQ(predicted.json()["device"], "quantum-z9");
    EXPECT_EQ(predicted.json()["device_verified"], true);
    EXPECT_TRUE(predicted.json()["time"]["error"].is_null())
        << "the time model was fitted to another GPU";
    EXPECT_EQ(run({ "predict", "copy", "--device", "quantum-z9" }).status, 2)
        << "only where it was calibrated";
}

TEST_F(CalibratedDevice, ofTheTableTakesItsPlace)
{
    const std::string target = targetOf(calibrated("rtx4090", "rtx4090"));
    ASSERT_EQ(run({ "calibrate", "--target", target, "--json" }, surroundings()).json()["name"],
        "rtx4090");
    const json list = run({ "devices", "--json" }, surroundings()).json();
    EXPECT_EQ(list.size(), 16u);
    const json row
        = *std::ranges::find_if(list, [](const json& one) { return one["name"] == "rtx4090"; });
    EXPECT_EQ(row["verified"], true);
    EXPECT_EQ(row["dram_bytes_per_ns"], 1234.5);
}

TEST_F(CalibratedDevice, goesToTheFileThatWasAskedFor)
{
    const std::string file = m_folder.at("mine.json");
    const Outcome outcome
        = run({ "calibrate", "--target", targetOf(calibrated("t4", "quantum-z9")), "-o", file },
            surroundings());
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(json::parse(m_folder.read("mine.json"))["name"], "quantum-z9");
    EXPECT_FALSE(std::filesystem::exists(m_folder.at("config/coalescope/devices/quantum-z9.json")));
}

TEST_F(CalibratedDevice, thatCannotBeReadIsReportedAndStopsNothing)
{
    json row = calibrated("t4", "quantum-z9");
    row["clock_ghz"] = "fast";
    std::filesystem::create_directories(m_folder.at("config/coalescope/devices"));
    m_folder.write("config/coalescope/devices/quantum-z9.json", row.dump());
    const Outcome outcome = run({ "devices" }, surroundings());
    EXPECT_EQ(outcome.status, 0);
    EXPECT_NE(outcome.err.find("'clock_ghz' is no number"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("quantum-z9.json"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out.find("quantum-z9"), std::string::npos);
}

TEST(Calibrate, withoutGpuSaysSoAndLeavesNoFile)
{
    const Folder folder;
    const Outcome outcome = run({ "calibrate", "-o", folder.at("row.json") },
        { .variables = { { "CUDA_VISIBLE_DEVICES", "" } } });
    expectError(outcome, 4, outcome.err.find("driver") != std::string::npos ? "driver" : "GPU");
    EXPECT_FALSE(std::filesystem::exists(folder.at("row.json")));
}

TEST(Calibrate, answerOutsideItsRangeIsNoDevice)
{
    const Folder folder;
    const std::string answer = folder.write("answer",
        R"({"device":{"format":2,"name":"x"}})"
        "\n");
    const Outcome outcome = run({ "calibrate", "-o", folder.at("row.json"), "--target",
        "sh -c 'cat >/dev/null; cat " + answer + "' sh" });
    EXPECT_EQ(outcome.status, 4) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder.at("row.json")));
}
