// SPDX-License-Identifier: Apache-2.0
// The parts of a measurement that are plain functions.
#include "kernels/launch/counters.h"
#include "kernels/launch/line_metrics.h"
#include "kernels/launch/timing.h"
#include "kernels/launch/verify_output.h"
#include "test_plans.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

namespace coalescope::kernels {

using analysis::Metric;

TEST(DriverVersion, isFoundInTheModulesText)
{
    EXPECT_EQ(driverVersionIn("NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Tue Sep 2\n"
                              "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n"),
        "580.159.04");
    EXPECT_EQ(driverVersionIn("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  575.57.08  Release\n"),
        "575.57.08");
    EXPECT_EQ(driverVersionIn("580.65.06\n"), "580.65.06");
    EXPECT_EQ(driverVersionIn("nothing here 12\n"), "");
}

TEST(DeviceName, comesFromTheTableOrTheFullName)
{
    EXPECT_EQ(deviceNameOf("NVIDIA H200", 132), "h200");
    EXPECT_EQ(deviceNameOf("NVIDIA H100 80GB HBM3", 132), "h100-sxm");
    EXPECT_EQ(deviceNameOf("NVIDIA Quantum Z9 (test)", 7), "quantum-z9-test");
    EXPECT_EQ(deviceNameOf("Orin", 16), "orin");
    EXPECT_EQ(deviceNameOf("Orin", 8), "orin-8sm");
}

TEST(TimeSample, hasMedianMinimumAndPercentiles)
{
    std::vector<double> durations(21);
    std::iota(durations.rbegin(), durations.rend(), 100); // 100 .. 120, unsorted
    const auto sample = sampleOf(durations);
    EXPECT_EQ(sample.medianNs, 110);
    EXPECT_EQ(sample.minimumNs, 100);
    EXPECT_EQ(sample.p10Ns, 102);
    EXPECT_EQ(sample.p90Ns, 118);
    EXPECT_EQ(sample.runs, 21);
    EXPECT_EQ(sampleOf({ 1, 2 }).medianNs, 1.5);
}

namespace {

    /// Bytes of the copy kernel's input as it is filled.
    std::vector<std::uint8_t> inputOf(const LaunchPlan& plan)
    {
        const auto& buffer = std::get<BufferPlan>(plan.arguments[std::size_t(plan.reference->input)]);
        std::vector<std::uint8_t> bytes(buffer.count * std::size_t(bytesOf(buffer.type)));
        EXPECT_TRUE(fillBytes(buffer, 0, bytes));
        return bytes;
    }

} // namespace

TEST(OutputCheck, acceptsEqualBitsAndCountsWrongOnes)
{
    const LaunchPlan plan = copyPlan("300", "400");
    const auto input = inputOf(plan);
    auto output = input;
    EXPECT_EQ(compareOutput(plan, output, input)->verified, true);
    output[4 * 70001] ^= 1;
    output[4 * 119999 + 3] ^= 0x80;
    const auto check = compareOutput(plan, output, input);
    ASSERT_TRUE(check);
    EXPECT_EQ(check->verified, false);
    EXPECT_NE(check->detail.find("2 of 120000"), std::string::npos) << check->detail;
    EXPECT_NE(check->detail.find("element 70001"), std::string::npos) << check->detail;
}

TEST(OutputCheck, elementsWithoutSourceMustKeepTheirFill)
{
    LaunchPlan plan = copyPlan();
    plan.reference->indices = [](std::uint64_t first, std::span<std::int64_t> out) -> Result<void> {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = first + i == 7 ? -1 : std::int64_t(first + i);
        return {};
    };
    const auto input = inputOf(plan);
    auto output = input;
    std::memset(output.data() + 4 * 7, 0, 4); // the output's fill is zero
    EXPECT_EQ(compareOutput(plan, output, input)->verified, true);
    output[4 * 7] = 1;
    const auto check = compareOutput(plan, output, input);
    EXPECT_EQ(check->verified, false);
    EXPECT_NE(check->detail.find("nothing should write it"), std::string::npos) << check->detail;
}

TEST(OutputCheck, referenceOutsideTheInputIsAnError)
{
    LaunchPlan plan = copyPlan();
    plan.reference->indices = [](std::uint64_t, std::span<std::int64_t> out) -> Result<void> {
        std::ranges::fill(out, 1 << 30);
        return {};
    };
    const auto input = inputOf(plan);
    const auto check = compareOutput(plan, input, input);
    ASSERT_FALSE(check);
    EXPECT_EQ(check.error().where, "reference");
}

namespace {

    const std::vector<std::string> kAll = { "smsp__sass_sectors_mem_global", "smsp__sass_sectors_mem_global_ideal",
        "smsp__sass_l1tex_tags_mem_global", "smsp__sass_inst_executed_op_shared_ld",
        "smsp__sass_inst_executed_op_shared_st", "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared" };

} // namespace

TEST(LineMetrics, areThoseThatTheChipHas)
{
    std::vector<std::string> available = kAll;
    available.push_back("smsp__sass_inst_executed");
    EXPECT_EQ(lineMetricsAmong(available, true), kAll);
    available.push_back("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld");
    available.push_back("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st");
    const auto chosen = lineMetricsAmong(available, true);
    EXPECT_EQ(chosen.size(), 7u) << "the combined count is not needed";
    EXPECT_TRUE(lineMetricsAmong({ "smsp__sass_inst_executed" }, false).empty());
    EXPECT_EQ(lineMetricsAmong({ "sm__sass_inst_executed_op_shared_ld" }, false).size(), 1u);
}

TEST(LineTotals, instructionsOfALineAreSummed)
{
    const std::vector<InstructionValues> instructions = {
        { "k.cu", 4, 0x10, { { "smsp__sass_sectors_mem_global", 8 }, { "smsp__sass_sectors_mem_global_ideal", 4 } } },
        { "k.cu", 4, 0x20, { { "smsp__sass_sectors_mem_global", 2 }, { "smsp__sass_sectors_mem_global_ideal", 2 } } },
        { "k.cu", 9, 0x30, { { "smsp__sass_sectors_mem_global", 0 } } },
        { "", 0, 0x40, { { "smsp__sass_sectors_mem_global", 1 } } },
    };
    const auto totals = linesOf(instructions, kAll);
    ASSERT_EQ(totals.lines.size(), 1u) << "a line without accesses is none";
    EXPECT_EQ(totals.lines[0].line, 4u);
    EXPECT_EQ(totals.lines[0].metrics.get(Metric::GlobalSassSectors), 10);
    EXPECT_EQ(totals.lines[0].metrics.get(Metric::GlobalTags), 0) << "collected, and nothing there";
    EXPECT_EQ(totals.totals.get(Metric::GlobalSassSectors), 11) << "an instruction without a line counts too";
    EXPECT_EQ(totals.totals.get(Metric::GlobalSassSectorsIdeal), 6);
    EXPECT_FALSE(totals.totals.get(Metric::GlobalLoadSectors)) << "not collected";
}

TEST(LineTotals, combinedWavefrontsGoToTheSideThatExecuted)
{
    const char* combined = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared";
    const std::vector<InstructionValues> instructions = {
        { "k.cu", 4, 0x10, { { combined, 32 }, { "smsp__sass_inst_executed_op_shared_ld", 1 } } },
        { "k.cu", 5, 0x20, { { combined, 2 }, { "smsp__sass_inst_executed_op_shared_st", 2 } } },
        { "k.cu", 6, 0x30, { { combined, 3 } } },
    };
    const auto totals = linesOf(instructions, kAll);
    EXPECT_EQ(totals.totals.get(Metric::SharedLoadWavefrontsSass), 32);
    EXPECT_EQ(totals.totals.get(Metric::SharedStoreWavefrontsSass), 2);
    EXPECT_EQ(totals.lines[0].metrics.get(Metric::SharedLoadWavefrontsSass), 32);
    EXPECT_EQ(totals.lines[0].metrics.get(Metric::SharedStoreWavefrontsSass), 0);
    ASSERT_EQ(totals.lines.size(), 2u) << "an atomic's wavefronts belong to neither";
}

#ifdef __SANITIZE_ADDRESS__
#define NEEDS_CUPTI() GTEST_SKIP() << "CUPTI loads a library in a way that the address sanitizer refuses"
#else
#define NEEDS_CUPTI() (void)0
#endif

TEST(Counters, everyKeyIsKnownForTheH200sChip)
{
    NEEDS_CUPTI();
    const auto known = knownCounters("GH100");
    if (!known && known.error().code == ErrorCode::NoCupti)
        GTEST_SKIP() << known.error().detail;
    ASSERT_TRUE(known) << known.error().detail;
    for (const auto& info : analysis::metricTable()) // the ideal count exists per instruction only
        EXPECT_EQ(known->at(std::string(info.key)), info.metric != Metric::GlobalSassSectorsIdeal) << info.key;
}

TEST(Counters, whatIsLoadedAheadChangesNoAnswer)
{
    NEEDS_CUPTI();
    loadProfiler();
    const auto known = knownCounters("GH100");
    if (!known && known.error().code == ErrorCode::NoCupti)
        GTEST_SKIP() << known.error().detail;
    ASSERT_TRUE(known) << known.error().detail;
    for (const auto& info : analysis::metricTable())
        EXPECT_EQ(known->at(std::string(info.key)), info.metric != Metric::GlobalSassSectorsIdeal) << info.key;
    EXPECT_TRUE(knownCounters("GA100")) << "of any chip";
    EXPECT_FALSE(knownCounters("GZ999"));
}

TEST(Counters, unknownChipIsNoChip)
{
    NEEDS_CUPTI();
    const auto known = knownCounters("GZ999");
    ASSERT_FALSE(known);
    EXPECT_TRUE(known.error().code == ErrorCode::NoCupti || known.error().code == ErrorCode::UnsupportedChip
        || known.error().code == ErrorCode::LaunchFailed);
}

} // namespace coalescope::kernels
