// SPDX-License-Identifier: Apache-2.0
#include "kernel_launches.h"

namespace coalescope::analysis {
namespace {

using namespace testing_;

using Random = std::mt19937;
std::int32_t pick(Random& r, std::int32_t low, std::int32_t high)
{
    return std::uniform_int_distribution(low, high)(r);
}
Dim3 blockShape(Random& r)
{
    static constexpr Dim3 kShapes[] = { { 8, 32 }, { 32, 8 }, { 16, 16 }, { 32, 32 }, { 7, 5 },
        { 33, 3 }, { 64, 1 }, { 1, 64 }, { 5, 5, 2 } };
    return kShapes[std::size_t(pick(r, 0, int(std::size(kShapes)) - 1))];
}

/// Launches of matrices of random shape; grids may be one block larger or smaller than the matrix.
Launch matrix(Random& r, Dim3 block, std::uint32_t tileX, std::uint32_t tileY, bool spill)
{
    const std::int32_t rows = pick(r, 1, 200), cols = pick(r, 1, 200);
    Dim3 grid { blocks(cols, tileX) + (spill ? unsigned(pick(r, 0, 1)) : 0),
        blocks(rows, tileY) + unsigned(pick(r, 0, 1)), pick(r, 0, 3) == 0 ? 2u : 1u };
    const auto bytes = std::uint64_t(rows) * std::uint64_t(cols) * 4;
    return launchOf(grid, block, bytes, bytes, { rows, cols });
}

struct KernelRow {
    const char* entry;
    Launch (*launch)(Random&);
    bool needsValues = false;
};
Launch perElement(Random& r)
{
    const Dim3 block = blockShape(r);
    return matrix(r, block, block.x, block.y, true);
}
Launch flatElements(Random& r)
{
    const std::int32_t rows = pick(r, 1, 90), cols = pick(r, 1, 90);
    const std::uint32_t block = std::uint32_t(pick(r, 1, 12)) * 21;
    const auto bytes = std::uint64_t(rows) * std::uint64_t(cols) * 4;
    return launchOf({ blocks(rows * cols, block) + unsigned(pick(r, 0, 1)) }, { block }, bytes,
        bytes, { rows, cols });
}
const KernelRow kKernels[] = {
    { "naive", &perElement },
    { "tiled",
        [](Random& r) {
            return matrix(r, { 32, 8 }, 32, 32, true);
        } },
    { "flatBound", &perElement },
    { "divmod",
        [](Random& r) {
            const std::int32_t rows = pick(r, 1, 300), cols = pick(r, 1, 300);
            const auto bytes = std::uint64_t(rows) * std::uint64_t(cols) * 4;
            return launchOf({ blocks(cols, 32) * blocks(rows, 8) + unsigned(pick(r, 0, 2)) },
                { 32 }, bytes, bytes, { rows, cols });
        } },
    { "flatElements", &flatElements },
    { "constantDivision", &flatElements },
    { "gridStride",
        [](Random& r) {
            Launch launch = flatElements(r);
            launch.grid.x = std::uint32_t(pick(r, 1, 40));
            return launch;
        } },
    { "offsetCopy",
        [](Random& r) {
            const std::int32_t n = pick(r, 1, 20000), offset = pick(r, 0, 40);
            return launchOf({ blocks(n, 128) }, { 128 }, std::uint64_t(n) * 2, std::uint64_t(n) * 2,
                { n, offset }, std::uint64_t(pick(r, 0, 1)) * 6);
        } },
    { "strided",
        [](Random& r) {
            const std::int32_t n = pick(r, 40, 20000), stride = pick(r, 1, 40);
            return launchOf({ blocks(n / stride, 96) }, { 96 }, std::uint64_t(n) * 8,
                std::uint64_t(n) * 8, { n, stride });
        } },
    { "gather",
        [](Random& r) {
            const std::int32_t n = pick(r, 40, 6000);
            return launchOf({ blocks(n, 96) }, { 96 }, std::uint64_t(n) * 4, std::uint64_t(n) * 4,
                { n, pick(r, 1, n) });
        },
        true },
    { "triangle", &perElement },
    { "swapped", &perElement },
    { "vector4",
        [](Random& r) {
            const std::int32_t rows = pick(r, 1, 100), cols = 4 * pick(r, 1, 100);
            const auto bytes = std::uint64_t(rows) * std::uint64_t(cols) * 4;
            return launchOf(
                { blocks(cols, 128), blocks(rows, 4) }, { 32, 4 }, bytes, bytes, { rows, cols });
        } },
    { "redBlack", &perElement },
    { "swizzled", [](Random& r) {
         const Dim3 block = blockShape(r);
         Launch launch = matrix(r, block, block.x, block.y, false);
         launch.grid.x = 16 * ((launch.grid.x + 3) / 4); // four by four blocks after another
         launch.grid.y = (launch.grid.y + 3) / 4;
         return launch;
     } },
    { "histogram",
        [](Random& r) {
            const std::int32_t n = pick(r, 40, 6000);
            return launchOf(
                { blocks(n, 96) }, { 96 }, std::uint64_t(n) * 4, 64 * 4, { n, pick(r, 1, 64) });
        },
        true },
};

class Representatives : public testing::TestWithParam<KernelRow> { };

TEST_P(Representatives, equalFullExecution)
{
    const KernelRow row = GetParam();
    const Program program = kernel(row.entry);
    Random random(12345);
    for (int round = 0; round < 40; ++round) {
        const Launch launch = row.launch(random);
        const auto fast = gridTotals(program, launch, { .threads = 1 });
        const auto full = gridTotals(program, launch, { .threads = 2, .executeEveryBlock = true });
        ASSERT_TRUE(fast.has_value()) << fast.error().detail << " at " << fast.error().where;
        ASSERT_TRUE(full.has_value()) << full.error().detail << " at " << full.error().where;
        ASSERT_EQ(full->blocksExecuted, launch.grid.count());
        ASSERT_EQ(fast->warpInstructions, full->warpInstructions);
        ASSERT_EQ(fast->issuedByBlock, full->issuedByBlock);
        ASSERT_EQ(fast->valuesNeeded, row.needsValues);
        for (std::size_t i = 0; i < fast->instructions.size(); ++i)
            ASSERT_EQ(fast->instructions[i], full->instructions[i])
                << program.mnemonic(std::uint32_t(i)) << " of " << row.entry << ", round " << round;
        ASSERT_EQ(fast->hazards.size(), full->hazards.size());
        for (std::size_t h = 0; h < fast->hazards.size(); ++h) {
            ASSERT_EQ(fast->hazards[h].kind, full->hazards[h].kind);
            ASSERT_EQ(fast->hazards[h].line, full->hazards[h].line);
            ASSERT_LE(fast->hazards[h].count, full->hazards[h].count);
        }
    }
}
void expectSame(const GridTotals& a, const GridTotals& b, const std::string& where)
{
    EXPECT_EQ(a.instructions, b.instructions) << where;
    EXPECT_EQ(a.warpInstructions, b.warpInstructions) << where;
    EXPECT_EQ(a.issuedByBlock, b.issuedByBlock) << where;
    EXPECT_EQ(a.hazards, b.hazards) << where;
    EXPECT_EQ(a.blocksExecuted, b.blocksExecuted) << where;
    EXPECT_EQ(a.valuesNeeded, b.valuesNeeded) << where;
}

/// A plan changes no number and no word of a hazard, however many threads and whatever the host's
/// instructions.
TEST_P(Representatives, planEqualsTheHandlers)
{
    const KernelRow row = GetParam();
    const Program program = kernel(row.entry);
    Random random(54321);
    for (int round = 0; round < 12; ++round) {
        const Launch launch = row.launch(random);
        const auto handlers = gridTotals(
            program, launch, { .threads = 1, .executeEveryBlock = true, .planBlocks = false });
        ASSERT_TRUE(handlers.has_value()) << handlers.error().detail;
        for (const SimdLevel level : { SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512 }) {
            if (!isSupported(level))
                continue;
            for (const int threads : { 1, 2, 3 }) {
                const auto planned = gridTotals(program, launch,
                    { .threads = threads, .executeEveryBlock = true, .simd = level });
                ASSERT_TRUE(planned.has_value()) << planned.error().detail;
                expectSame(*planned, *handlers,
                    std::string(row.entry) + ", round " + std::to_string(round) + ", level "
                        + std::to_string(int(level)) + ", threads " + std::to_string(threads));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, Representatives, testing::ValuesIn(kKernels),
    [](const auto& row) { return std::string(row.param.entry); });

} // namespace
} // namespace coalescope::analysis
