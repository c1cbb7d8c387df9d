// SPDX-License-Identifier: Apache-2.0
#include "kernels/compile/nvrtc.h"
#include "kernels/experiment/predict.h"

#include "source_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace {

using namespace coalescope;
using analysis::HazardKind;
using analysis::Metric;

const std::map<std::string, Metric> kMetrics { { "gld.req", Metric::GlobalLoadRequests },
    { "gst.req", Metric::GlobalStoreRequests }, { "gld.sec", Metric::GlobalLoadSectors },
    { "gst.sec", Metric::GlobalStoreSectors }, { "sld.inst", Metric::SharedLoadInstructions },
    { "sst.inst", Metric::SharedStoreInstructions }, { "sld.wf", Metric::SharedLoadWavefronts },
    { "sst.wf", Metric::SharedStoreWavefronts } };

class SourceKernels : public testing::TestWithParam<std::string> { };

TEST_P(SourceKernels, arePredictedAsWorkedOutByHand)
{
    if (!kernels::Nvrtc::instance())
        GTEST_SKIP() << "NVRTC is not installed here";
    const SourceKernel kernel = readSourceKernel(GetParam());
    auto plan = kernels::planLaunch(kernel.request);
    ASSERT_TRUE(plan.has_value()) << plan.error().detail;
    const auto prediction = kernels::predict(*plan, { .compiler = kernels::CompilerKind::Nvrtc });
    if (!kernel.refusedAt.empty()) {
        ASSERT_FALSE(prediction.has_value());
        if (prediction.error().code == ErrorCode::CompileFailed)
            GTEST_SKIP() << "the toolkit's headers are not installed here";
        EXPECT_TRUE(prediction.error().where.starts_with(kernel.refusedAt + ','))
            << prediction.error().where;
        return;
    }
    if (!prediction && prediction.error().code == ErrorCode::CompileFailed && kernel.needsHeaders)
        GTEST_SKIP() << "the toolkit's headers are not installed here";
    ASSERT_TRUE(prediction.has_value()) << prediction.error().detail;
    for (const auto& [name, value] : kernel.expected)
        EXPECT_EQ(prediction->result.metrics.get(kMetrics.at(name)).value_or(-1), value) << name;
    std::set<std::pair<std::string, std::uint32_t>> found;
    for (const analysis::Hazard& hazard : prediction->result.hazards) {
        if (hazard.kind != HazardKind::NotModelled)
            found.emplace(nameOf(hazard.kind), hazard.line);
    }
    EXPECT_EQ(found, kernel.hazards);
}

/// Every block by plan against the handlers alone: totals, hazards and what the launch leaves.
TEST_P(SourceKernels, doByPlanWhatTheHandlersDo)
{
    const SourceKernel kernel = readSourceKernel(GetParam());
    const auto plan = kernels::planLaunch(kernel.request);
    ASSERT_TRUE(plan.has_value()) << plan.error().detail;
    const auto prediction = kernels::predict(*plan, { .verify = false });
    if (!prediction)
        GTEST_SKIP() << prediction.error().detail;
    const analysis::Program& program = *prediction->program;
    const analysis::Launch& launch = prediction->launch;
    const auto handlers = analysis::gridTotals(
        program, launch, { .threads = 1, .executeEveryBlock = true, .planBlocks = false });
    const auto planned
        = analysis::gridTotals(program, launch, { .threads = 2, .executeEveryBlock = true });
    ASSERT_TRUE(handlers.has_value()) << handlers.error().detail;
    ASSERT_TRUE(planned.has_value()) << planned.error().detail;
    EXPECT_EQ(planned->instructions, handlers->instructions);
    EXPECT_EQ(planned->warpInstructions, handlers->warpInstructions);
    // Only the plan knows of what is stored that nothing depends on it.
    std::vector<analysis::Hazard> hazards = handlers->hazards;
    std::erase_if(hazards, [&](const analysis::Hazard& hazard) {
        return hazard.detail.ends_with("as if it ran alone") && std::ranges::find(planned->hazards, hazard) == planned->hazards.end();
    });
    EXPECT_EQ(planned->hazards, hazards);
    EXPECT_EQ(planned->valuesNeeded, handlers->valuesNeeded);
    const auto left = analysis::gridOutput(program, launch);
    const auto leftByHandlers = analysis::gridOutput(program, launch, { .planBlocks = false });
    ASSERT_EQ(left.has_value(), leftByHandlers.has_value());
    if (!left)
        return;
    EXPECT_EQ(left->buffers, leftByHandlers->buffers);
    EXPECT_EQ(left->writer, leftByHandlers->writer);
    EXPECT_EQ(left->hazards, leftByHandlers->hazards);
}

std::vector<std::string> everyFile()
{
    std::vector<std::string> names;
    for (const auto& entry :
        std::filesystem::directory_iterator(COALESCOPE_TEST_DATA "/device/kernels")) {
        if (entry.path().extension() == ".cu")
            names.push_back(entry.path().stem().string());
    }
    std::ranges::sort(names);
    return names;
}
INSTANTIATE_TEST_SUITE_P(
    , SourceKernels, testing::ValuesIn(everyFile()), [](const auto& row) { return row.param; });

} // namespace
