// SPDX-License-Identifier: Apache-2.0
// Random launches of every catalogue kernel: representatives against every block executed.
#include "kernels/experiment/decode.h"
#include "kernels/experiment/predict.h"
#include "catalogue_ids.h"
#include "tests/swept_kernels.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace {

using namespace coalescope;
using Random = std::mt19937;

constexpr int kPrograms = 20, kLaunches = 26; ///< compiled programs a kernel, launches of each

std::int64_t pick(Random& random, std::int64_t low, std::int64_t high)
{
    return std::uniform_int_distribution(low, high)(random);
}

/// A parameter's value: small enough for every block to be executed, and as odd as it may be.
std::string valueOf(const kernels::ParameterSpec& parameter, Random& random)
{
    if (!parameter.isInteger())
        return parameter
            .choices[std::size_t(pick(random, 0, std::int64_t(parameter.choices.size()) - 1))]
            .value;
    const bool isSide = parameter.name == "rows" || parameter.name == "cols";
    if (!isSide && !parameter.presets.empty() && pick(random, 0, 1) == 0)
        return std::to_string(parameter.presets[std::size_t(
            pick(random, 0, std::int64_t(parameter.presets.size()) - 1))]);
    if (isSide && pick(random, 0, 2) == 0) // some kernels take whole tiles only
        return std::to_string(32 * pick(random, 1, 8));
    const std::int64_t most = isSide ? 150 : 40;
    return std::to_string(
        pick(random, parameter.minimum, std::min(parameter.maximum, parameter.minimum + most)));
}


/// A legal launch; what the program is compiled for is drawn anew only where `fresh` says so.
kernels::LaunchPlan randomPlan(const kernels::KernelSpec& kernel, kernels::ParameterValues& values,
    bool fresh, Random& random)
{
    for (int attempt = 0; attempt < 20'000; ++attempt) {
        for (const kernels::ParameterSpec& parameter : kernel.parameters)
            if (fresh || parameter.define.empty())
                values[parameter.name] = valueOf(parameter, random);
        if (auto plan = kernels::planLaunch(kernel, values))
            if (plan->grid.count() * plan->block.count() <= 200'000)
                return std::move(*plan);
        fresh = fresh || attempt % 100 == 99; // e.g. a tile that no small matrix is legal for
    }
    ADD_FAILURE() << "no legal launch of " << kernel.id << " found";
    return {};
}

/// Grids a block larger or smaller than the matrix, and matrices that start within a sector.
void disturb(analysis::Launch& launch, Random& random)
{
    for (std::uint32_t* const side : { &launch.grid.x, &launch.grid.y })
        if (const auto by = pick(random, -3, 3); by == 1 || (by == -1 && *side > 1))
            *side += std::uint32_t(by);
    if (pick(random, 0, 3) != 0)
        return;
    for (const analysis::Buffer& buffer : launch.buffers)
        for (std::size_t at = 0; at + 8 <= launch.parameters.size(); at += 8) {
            std::uint64_t pointer = 0;
            std::memcpy(&pointer, launch.parameters.data() + at, 8);
            if (pointer != buffer.address)
                continue;
            pointer += std::uint64_t(pick(random, 0, 24)) * (pick(random, 0, 5) == 0 ? 1 : 8);
            std::memcpy(launch.parameters.data() + at, &pointer, 8);
        }
}

void expectSame(const analysis::GridTotals& all, const analysis::GridTotals& some)
{
    EXPECT_EQ(all.instructions, some.instructions);
    EXPECT_EQ(all.warpInstructions, some.warpInstructions);
    EXPECT_EQ(all.valuesNeeded, some.valuesNeeded);
    ASSERT_EQ(all.hazards.size(), some.hazards.size());
    for (std::size_t h = 0; h < all.hazards.size(); ++h) {
        EXPECT_EQ(all.hazards[h].kind, some.hazards[h].kind);
        EXPECT_EQ(all.hazards[h].line, some.hazards[h].line);
        EXPECT_EQ(all.hazards[h].otherLine, some.hazards[h].otherLine);
        EXPECT_GE(all.hazards[h].count, some.hazards[h].count);
    }
}

std::string textOf(const kernels::LaunchPlan& plan, const analysis::Launch& launch)
{
    std::string text = plan.kernel;
    for (const auto& [name, value] : plan.parameters)
        text += " " + name + "=" + value;
    return text + " grid " + std::to_string(launch.grid.x) + " x " + std::to_string(launch.grid.y);
}

class WholeGrid : public testing::TestWithParam<std::string> { };

TEST_P(WholeGrid, representativesEqualEveryBlockExecuted)
{
    const auto kernel = kernels::kernelNamed(GetParam());
    ASSERT_TRUE(kernel.has_value());
    Random random(2024);
    kernels::ParameterValues values;
    for (int round = 0; round < kPrograms * kLaunches && !HasFailure(); ++round) {
        const auto plan = randomPlan(**kernel, values, round % kLaunches == 0, random);
        const auto decoded = kernels::decode(plan, {});
        if (!decoded && decoded.error().code == ErrorCode::NoCompiler)
            GTEST_SKIP() << decoded.error().detail;
        ASSERT_TRUE(decoded.has_value()) << decoded.error().detail;
        auto launch = kernels::modelledLaunch(plan, *decoded->program);
        ASSERT_TRUE(launch.has_value()) << launch.error().detail;
        disturb(*launch, random);
        SCOPED_TRACE(textOf(plan, *launch));
        const auto some = analysis::gridTotals(*decoded->program, *launch, { .threads = 1 });
        const auto all = analysis::gridTotals(
            *decoded->program, *launch, { .threads = 1, .executeEveryBlock = true });
        ASSERT_TRUE(some.has_value()) << some.error().detail;
        ASSERT_TRUE(all.has_value()) << all.error().detail;
        expectSame(*all, *some);
        // The plan in turn against the handlers alone, which are slower.
        if (round % 4 == 0) {
            const auto handlers = analysis::gridTotals(*decoded->program, *launch,
                { .threads = 1, .executeEveryBlock = true, .planBlocks = false });
            ASSERT_TRUE(handlers.has_value()) << handlers.error().detail;
            EXPECT_EQ(all->instructions, handlers->instructions);
            EXPECT_EQ(all->hazards, handlers->hazards);
        }
    }
}

// im2col asks x < 0 || y < 0 for each of nine neighbours, of which compilers make one sign.
TEST(WholeGridOfNeighbours, boundsAskedForInOneNeedFewBlocks)
{
    for (const auto& [n, block] : { std::pair("2048", "32"), std::pair("203", "24") }) {
        const auto plan = kernels::planLaunch(sweptKernel("im2col"), { { "n", n }, { "block_x", block }, { "block_y", "4" } });
        ASSERT_TRUE(plan) << plan.error().detail;
        const auto decoded = kernels::decode(*plan, {});
        if (!decoded && decoded.error().code == ErrorCode::NoCompiler)
            GTEST_SKIP() << decoded.error().detail;
        ASSERT_TRUE(decoded) << decoded.error().detail;
        const auto launch = kernels::modelledLaunch(*plan, *decoded->program);
        ASSERT_TRUE(launch) << launch.error().detail;
        const auto some = analysis::gridTotals(*decoded->program, *launch, { .threads = 1 });
        ASSERT_TRUE(some) << some.error().detail;
        EXPECT_LE(some->blocksExecuted, 9u) << "inside, four edges, four corners";
        if (launch->grid.count() > 1000)
            continue;
        const auto all = analysis::gridTotals(*decoded->program, *launch, { .threads = 1, .executeEveryBlock = true });
        ASSERT_TRUE(all) << all.error().detail;
        expectSame(*all, *some);
    }
}

INSTANTIATE_TEST_SUITE_P(
    , WholeGrid, testing::ValuesIn(kernelIds()), [](const auto& row) { return row.param; });

} // namespace
