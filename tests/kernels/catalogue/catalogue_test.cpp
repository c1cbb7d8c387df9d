// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/kernel_spec.h"
#include "kernels/resource.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace coalescope;
using namespace coalescope::kernels;

namespace {

const std::vector<std::string> kIds { "copy", "offset_copy", "strided_copy", "transpose_naive", "transpose_naive_multi",
    "transpose_shared", "transpose_shared_flat", "transpose_shared_multi", "transpose_flat_bound", "transpose_float4",
    "transpose_one_warp", "copy_transpose_batched", "transpose_swizzle" };

bool isBilingual(const LocalizedText& text)
{
    const bool hasChinese = std::ranges::any_of(text.zhCN, [](char c) { return static_cast<unsigned char>(c) >= 0xe4; });
    return !text.en.empty() && hasChinese;
}

TEST(Catalogue, everyFileOfTheFolderParses)
{
    for (const Resource& file : resourcesUnder("kernels/catalogue/")) {
        const auto kernel = parseKernel(std::string(file.content), std::string(file.path));
        EXPECT_TRUE(kernel) << kernel.error().detail << " [" << kernel.error().where << "]";
    }
}

TEST(Catalogue, holdsTheKernelsInTeachingOrder)
{
    std::vector<std::string> ids;
    for (const KernelSpec& kernel : catalogue())
        ids.push_back(kernel.id);
    EXPECT_EQ(ids, kIds);
}

TEST(Catalogue, unknownNamesAreAnsweredWithNearOnes)
{
    EXPECT_EQ((*kernelNamed("copy"))->id, "copy");
    const auto kernel = kernelNamed("transpose_shard");
    ASSERT_FALSE(kernel);
    EXPECT_EQ(kernel.error().code, ErrorCode::UnknownKernel);
    EXPECT_NE(kernel.error().detail.find("transpose_shared"), std::string::npos);
}

class CatalogueKernel : public testing::TestWithParam<std::string> {
protected:
    const KernelSpec& kernel() const { return **kernelNamed(GetParam()); }
};

TEST_P(CatalogueKernel, speaksBothLanguages)
{
    EXPECT_TRUE(isBilingual(kernel().title));
    EXPECT_TRUE(isBilingual(kernel().summary));
    EXPECT_TRUE(isBilingual(kernel().teaches));
    for (const ParameterSpec& parameter : kernel().parameters) {
        EXPECT_TRUE(isBilingual(parameter.label)) << parameter.name;
        EXPECT_TRUE(parameter.help.en.empty() || isBilingual(parameter.help)) << parameter.name;
    }
    for (const LegalityCondition& rule : kernel().legality)
        EXPECT_TRUE(isBilingual(rule.sentence)) << rule.condition;
    for (const Preset& preset : kernel().presets)
        EXPECT_FALSE(preset.title.en.empty() || preset.title.zhCN.empty());
}

TEST_P(CatalogueKernel, defaultsAndPresetsAreLegalLaunches)
{
    std::vector<ParameterValues> all { {} };
    for (const Preset& preset : kernel().presets)
        all.push_back(preset.values);
    EXPECT_GE(all.size(), 4u);
    for (const ParameterValues& values : all) {
        const auto plan = planLaunch(kernel(), values);
        ASSERT_TRUE(plan) << plan.error().detail;
        EXPECT_LE(plan->block.count(), 1024u);
        EXPECT_TRUE(plan->reference);
        EXPECT_EQ(plan->parameters.size(), kernel().parameters.size());
        const LaunchPlan& verified = plan->verification ? *plan->verification : *plan;
        EXPECT_LE(std::get<BufferPlan>(verified.arguments[0]).count, 1u << 20); // small enough to interpret
    }
}

TEST_P(CatalogueKernel, itsFirstThreeParametersAreRowsColsType)
{
    ASSERT_GE(kernel().parameters.size(), 3u);
    EXPECT_EQ(kernel().parameters[0].name, "rows");
    EXPECT_EQ(kernel().parameters[1].name, "cols");
    EXPECT_EQ(kernel().parameters[2].name, "type");
}

/// Every index lies in the input and none comes twice: what verifies an output must itself be a permutation.
TEST_P(CatalogueKernel, itsReferenceReadsEachInputElementAtMostOnce)
{
    ParameterValues values { { "rows", "33" }, { "cols", "65" } };
    if (GetParam() == "transpose_float4")
        values = { { "rows", "64" }, { "cols", "128" } };
    const auto plan = planLaunch(kernel(), values);
    ASSERT_TRUE(plan) << plan.error().detail;
    const auto& output = std::get<BufferPlan>(plan->arguments[std::size_t(plan->reference->output)]);
    const auto& input = std::get<BufferPlan>(plan->arguments[std::size_t(plan->reference->input)]);
    std::vector<std::int64_t> at(output.count);
    ASSERT_TRUE(plan->reference->indices(0, at));
    std::vector<bool> seen(input.count);
    for (const std::int64_t index : at) {
        ASSERT_TRUE(index >= 0 && std::uint64_t(index) < input.count);
        ASSERT_FALSE(seen[std::size_t(index)]);
        seen[std::size_t(index)] = true;
    }
}

INSTANTIATE_TEST_SUITE_P(, CatalogueKernel, testing::ValuesIn(kIds), [](const auto& info) { return info.param; });

} // namespace
