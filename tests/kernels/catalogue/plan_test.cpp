// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/kernel_spec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

using namespace coalescope;
using namespace coalescope::kernels;
using analysis::Dim3;

namespace {

LaunchPlan plan(const char* id, const ParameterValues& values)
{
    const auto kernel = kernelNamed(id);
    EXPECT_TRUE(kernel);
    const auto made = planLaunch(**kernel, values);
    EXPECT_TRUE(made) << id << ": " << made.error().detail << " [" << made.error().where << "]";
    return made ? *made : LaunchPlan {};
}

const BufferPlan& bufferOf(const LaunchPlan& plan, std::size_t index)
{
    return std::get<BufferPlan>(plan.arguments.at(index));
}

std::uint64_t scalarOf(const LaunchPlan& plan, std::size_t index)
{
    return std::get<ScalarPlan>(plan.arguments.at(index)).bits;
}

std::string defineOf(const LaunchPlan& plan, std::string_view name)
{
    const auto found = std::ranges::find(plan.defines, name, &std::pair<std::string, std::string>::first);
    return found == plan.defines.end() ? "" : found->second;
}

TEST(Plan, aCopyOf1000x1003)
{
    const LaunchPlan p = plan("copy", { { "rows", "1000" }, { "cols", "1003" }, { "type", "f64" } });
    EXPECT_EQ(p.grid, (Dim3 { 32, 125, 1 }));
    EXPECT_EQ(p.block, (Dim3 { 32, 8, 1 }));
    ASSERT_EQ(p.arguments.size(), 4u);
    EXPECT_EQ(bufferOf(p, 0).count, 1003000u);
    EXPECT_EQ(bufferOf(p, 0).type, ElementType::F64);
    EXPECT_EQ(bufferOf(p, 0).fill.kind, FillKind::Random);
    EXPECT_EQ(bufferOf(p, 1).fill.kind, FillKind::Zero);
    EXPECT_EQ(scalarOf(p, 2), 1000u);
    EXPECT_EQ(scalarOf(p, 3), 1003u);
    EXPECT_EQ(defineOf(p, "Element"), "double");
    EXPECT_EQ(p.parameters.at("block_x"), "32"); // every parameter is there
    EXPECT_EQ(p.kernel, "copy");
    EXPECT_EQ(p.sourceName, "copy.cu");
}

TEST(Plan, aHalfTravelsAsItsBits)
{
    EXPECT_EQ(defineOf(plan("copy", { { "type", "f16" } }), "Element"), "unsigned short");
}

TEST(Plan, rowsAndColumnsAreNoDefines)
{
    // So that another shape needs no other compilation.
    const LaunchPlan p = plan("transpose_shared_multi", {});
    EXPECT_EQ(defineOf(p, "TILE"), "32");
    EXPECT_EQ(defineOf(p, "PAD"), "1");
    EXPECT_EQ(p.defines.size(), 4u); // Element, TILE, ROWS_PER_BLOCK, PAD
}

TEST(Plan, thePublishedFlatGridHasARowOfBlocksTooManyWhereTheBlockDivides)
{
    const ParameterValues divides { { "rows", "2048" }, { "cols", "512" }, { "block_x", "32" }, { "block_y", "8" } };
    EXPECT_EQ(plan("transpose_shared_flat", divides).grid, (Dim3 { 16, 257, 1 }));
    ParameterValues tight = divides;
    tight["grid"] = "tight";
    EXPECT_EQ(plan("transpose_shared_flat", tight).grid, (Dim3 { 16, 256, 1 }));
    EXPECT_EQ(plan("transpose_shared_flat", { { "rows", "1003" }, { "cols", "512" } }).grid, (Dim3 { 16, 126, 1 }));
}

TEST(Plan, oneWarpTakesMoreRowsThanAGridHasInY)
{
    const LaunchPlan p = plan("transpose_one_warp", { { "rows", "4194304" }, { "cols", "16" } });
    EXPECT_EQ(p.grid, (Dim3 { 131072, 1, 1 }));
    EXPECT_EQ(p.block, (Dim3 { 32, 1, 1 }));
}

TEST(Plan, aBatchIsDealtOutEightABlock)
{
    const ParameterValues shape { { "rows", "100" }, { "cols", "65" }, { "batch", "12" } };
    const LaunchPlan p = plan("copy_transpose_batched", shape);
    EXPECT_EQ(p.grid, (Dim3 { 3, 4, 2 }));
    EXPECT_EQ(bufferOf(p, 0).count, 78000u);
    EXPECT_EQ(scalarOf(p, 4), 12u);
    ParameterValues merged = shape;
    merged["layout"] = "merged";
    const LaunchPlan m = plan("copy_transpose_batched", merged);
    EXPECT_EQ(m.grid, (Dim3 { 25, 4, 1 })); // 780 columns
    EXPECT_EQ(scalarOf(m, 3), 780u);
    EXPECT_EQ(scalarOf(m, 4), 1u);
}

TEST(Plan, referencesSayWhereAnOutputElementComesFrom)
{
    const LaunchPlan transpose = plan("transpose_naive", { { "rows", "3" }, { "cols", "5" } });
    std::vector<std::int64_t> at(15);
    ASSERT_TRUE(transpose.reference->indices(0, at));
    EXPECT_EQ(at, (std::vector<std::int64_t> { 0, 5, 10, 1, 6, 11, 2, 7, 12, 3, 8, 13, 4, 9, 14 }));

    // Two matrices of 2 x 3; the source's rows of both lie side by side.
    const LaunchPlan merged
        = plan("copy_transpose_batched", { { "rows", "2" }, { "cols", "3" }, { "batch", "2" }, { "layout", "merged" } });
    at.resize(12);
    ASSERT_TRUE(merged.reference->indices(0, at));
    EXPECT_EQ(at, (std::vector<std::int64_t> { 0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11 }));

    const LaunchPlan contiguous
        = plan("copy_transpose_batched", { { "rows", "2" }, { "cols", "3" }, { "batch", "2" } });
    ASSERT_TRUE(contiguous.reference->indices(0, at));
    EXPECT_EQ(at, (std::vector<std::int64_t> { 0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11 }));
}

TEST(Plan, referencesMayBeAskedFromSeveralThreads)
{
    const LaunchPlan p = plan("transpose_naive", { { "rows", "1000" }, { "cols", "1003" } });
    std::vector<std::vector<std::int64_t>> parts(4, std::vector<std::int64_t>(5000));
    {
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < parts.size(); ++t)
            threads.emplace_back([&, t] { (void)p.reference->indices(t * 5000, parts[t]); });
    }
    for (std::size_t t = 0; t < parts.size(); ++t) {
        const std::int64_t i = std::int64_t(t) * 5000 + 4999;
        EXPECT_EQ(parts[t][4999], i % 1000 * 1003 + i / 1000);
    }
}

TEST(Plan, verificationIsSmallAndKeepsTheRemainders)
{
    const LaunchPlan p = plan("transpose_shared_multi", { { "rows", "1000" }, { "cols", "1003" } });
    ASSERT_TRUE(p.verification);
    EXPECT_EQ(p.verification->parameters.at("rows"), "72"); // 64 + 8
    EXPECT_EQ(p.verification->parameters.at("cols"), "75"); // 64 + 11
    EXPECT_EQ(p.verification->grid, (Dim3 { 3, 3, 1 }));
    EXPECT_EQ(p.verification->defines, p.defines);
    EXPECT_FALSE(p.verification->verification);
    EXPECT_FALSE(plan("transpose_shared_multi", { { "rows", "40" }, { "cols", "33" } }).verification);
}

TEST(Plan, unknownParametersAreWrongUsage)
{
    const auto made = planLaunch(**kernelNamed("copy"), { { "tile", "32" } });
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::WrongUsage);
    EXPECT_NE(made.error().detail.find("block_x"), std::string::npos); // the ones there are
}

TEST(Plan, valuesOutsideTheirRangeBelongToTheirControl)
{
    const KernelSpec& kernel = **kernelNamed("transpose_shared");
    const auto problems = problemsOf(kernel, { { "tile", "33" }, { "pad", "x" }, { "type", "f128" } });
    ASSERT_EQ(problems.size(), 3u);
    EXPECT_EQ(problems[0].parameters, std::vector<std::string> { "type" });
    EXPECT_EQ(problems[1].parameters, std::vector<std::string> { "tile" });
    EXPECT_EQ(problems[1].sentence.en, "The value 33 is outside 1 to 32.");
    EXPECT_FALSE(problems[2].sentence.zhCN.empty());
    EXPECT_TRUE(problemsOf(kernel, {}).empty());
}

struct Broken {
    const char* name;
    const char* kernel;
    ParameterValues values;
    const char* sentence; ///< part of it
    std::vector<std::string> parameters;
};

class BrokenRule : public testing::TestWithParam<Broken> { };

TEST_P(BrokenRule, isSaidInItsSentence)
{
    const auto made = planLaunch(**kernelNamed(GetParam().kernel), GetParam().values);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::IllegalParameter);
    EXPECT_NE(made.error().detail.find(GetParam().sentence), std::string::npos) << made.error().detail;
    const auto problems = problemsOf(**kernelNamed(GetParam().kernel), GetParam().values);
    ASSERT_FALSE(problems.empty());
    EXPECT_EQ(problems[0].parameters, GetParam().parameters);
    EXPECT_EQ(problems[0].sentence.zhCN.find('{'), std::string::npos) << problems[0].sentence.zhCN;
}

INSTANTIATE_TEST_SUITE_P(, BrokenRule,
    testing::Values(
        Broken { "float4_at_1000x1003", "transpose_float4", { { "rows", "1000" }, { "cols", "1003" } },
            "The columns (1003) must be a multiple of 4 x block x = 128", { "cols", "block_x" } },
        Broken { "float4_rows", "transpose_float4", { { "rows", "1000" }, { "cols", "1024" } },
            "The rows (1000) must be a multiple of 4 x block y = 32", { "rows", "block_y" } },
        Broken { "too_many_threads", "copy", { { "block_x", "64" }, { "block_y", "32" } }, "has 2048 threads",
            { "block_x", "block_y" } },
        Broken { "grid_y", "transpose_naive", { { "rows", "65536" }, { "block_y", "1" } },
            "needs 65536 blocks in y; 65535 is the limit", { "rows", "block_y" } },
        Broken { "tile_not_divided", "transpose_shared_multi", { { "rows_per_block", "5" } },
            "must be a multiple of the rows per block (5)", { "tile", "rows_per_block" } },
        Broken { "swizzle_needs_a_power_of_two", "transpose_swizzle", { { "tile", "24" } }, "must be a power of two",
            { "tile" } },
        Broken { "static_shared_memory", "transpose_shared_flat",
            { { "block_x", "1" }, { "block_y", "1024" }, { "pad", "8" }, { "type", "f64" } }, "takes 73728 bytes",
            { "block_x", "block_y", "pad", "type" } }),
    [](const auto& info) { return info.param.name; });

TEST(Plan, aBrokenExpressionOfAUsersManifestIsAnError)
{
    const std::string file = "/* --- coalescope\nid = 'k'\ntitle = 'T'\nentry = 'k'\n[[parameters]]\nname = 'n'\n"
                             "default = 4\nmin = 0\nmax = 8\n[launch]\ngrid = ['8 // n']\nblock = [32]\n--- */\n";
    const auto kernel = parseKernel(file, "mine.cu");
    ASSERT_TRUE(kernel);
    EXPECT_TRUE(planLaunch(*kernel, {}));
    const auto divided = planLaunch(*kernel, { { "n", "0" } });
    ASSERT_FALSE(divided);
    EXPECT_EQ(divided.error().code, ErrorCode::BadInput);
    EXPECT_EQ(divided.error().where, "mine.cu:10");
}

TEST(Plan, anEntryMayBeMadeOfParameters)
{
    const std::string file = "/* --- coalescope\nid = 'k'\ntitle = 'T'\nentry = 'tile<{type},{n}>'\n"
                             "[[parameters]]\nname = 'n'\ndefault = 4\nmin = 0\nmax = 8\n"
                             "[[parameters]]\nname = 'type'\ndefault = 'i8'\ntypes = ['i8', 'f32']\n"
                             "[launch]\ngrid = [1]\nblock = [32]\n--- */\n";
    const auto kernel = parseKernel(file, "mine.cu");
    ASSERT_TRUE(kernel) << kernel.error().detail;
    EXPECT_EQ(planLaunch(*kernel, { { "n", "7" } })->entry, "tile<signed char,7>");
}

} // namespace
