// SPDX-License-Identifier: Apache-2.0
#include "kernel_launches.h"

#include "analysis/execute/block_trace.h"

#include <algorithm>
#include <ctime>
#include <thread>

namespace coalescope::analysis {
namespace {

using namespace testing_;

constexpr std::int32_t kSize = 4096;
constexpr std::uint64_t kBytes = std::uint64_t(kSize) * kSize * 4;

TEST(GridTotals, transposeNeedsOneBlock)
{
    const auto totals = gridTotals(
        kernel("naive"), launchOf({ 128, 512 }, { 32, 8 }, kBytes, kBytes, { kSize, kSize }));
    ASSERT_TRUE(totals.has_value());
    EXPECT_EQ(totals->blocks, 65536u);
    EXPECT_EQ(totals->blocksExecuted, 1u);
    std::vector<InstructionTotals> accesses;
    std::ranges::copy_if(totals->instructions, std::back_inserter(accesses),
        [](const InstructionTotals& i) { return i.requests != 0; });
    ASSERT_EQ(accesses.size(), 2u);
    EXPECT_EQ(accesses[0],
        (InstructionTotals { .executions = 524288,
            .requests = 524288,
            .sectors = 2097152,
            .tags = 524288,
            .idealSectors = 2097152,
            .activeLanes = 16777216 }));
    EXPECT_EQ(accesses[1].sectors, 16777216u);
    EXPECT_EQ(accesses[1].tags, 16777216u);
}

TEST(GridTotals, saysHowFarEachInstructionsAddressesMoveFromBlockToBlock)
{
    const auto totals = gridTotals(
        kernel("naive"), launchOf({ 128, 512 }, { 32, 8 }, kBytes, kBytes, { kSize, kSize }));
    ASSERT_TRUE(totals && totals->moves);
    EXPECT_EQ(totals->moves->box.volume(), 65536u);
    std::vector<GridMoves::Move> moves;
    for (const auto& move : totals->moves->instructions)
        if (move)
            moves.push_back(*move);
    ASSERT_EQ(moves.size(), 2u) << "a load and a store";
    const std::int64_t rows = 4ll * kSize;
    EXPECT_EQ(moves[0], (GridMoves::Move { 32 * 4, 8 * rows }));
    EXPECT_EQ(moves[1], (GridMoves::Move { 32 * rows, 8 * 4 }));
}

TEST(GridTotals, blocksThatDependOnDataMoveInNoWay)
{
    const auto totals = gridTotals(
        kernel("gather"), launchOf({ 40 }, { 128 }, 20000, 20000, { 5000, 4999 }));
    ASSERT_TRUE(totals.has_value());
    EXPECT_FALSE(totals->moves.has_value());
}

TEST(GridTotals, dividedBlockIndexNeedsFewBlocks)
{
    const auto totals = gridTotals(
        kernel("divmod"), launchOf({ 128 * 512 }, { 32 }, kBytes, kBytes, { kSize, kSize - 1 }));
    ASSERT_TRUE(totals.has_value());
    EXPECT_LE(totals->blocksExecuted, 8u);
}

TEST(GridTotals, parityAndFieldsOfTheBlockIndexNeedFewBlocks)
{
    for (const char* entry : { "redBlack", "swizzled" }) {
        const auto totals
            = gridTotals(kernel(entry), launchOf({ 128, 512 }, { 32, 8 }, kBytes, kBytes, { kSize, kSize - 1 }));
        ASSERT_TRUE(totals.has_value());
        EXPECT_LE(totals->blocksExecuted, 20u) << entry;
    }
}

TEST(GridTotals, sameResultHoweverManyThreads)
{
    for (const char* entry : { "triangle", "gather", "flatBound" }) {
        const Program program = kernel(entry);
        const bool flat = std::string_view(entry) == "gather";
        const Launch launch = flat
            ? launchOf({ 40 }, { 128 }, 20000, 20000, { 5000, 4999 })
            : launchOf({ 9, 40 }, { 32, 8 }, 331 * 271 * 4, 331 * 271 * 4, { 331, 271 });
        const auto one = gridTotals(program, launch, { .threads = 1 });
        const auto four = gridTotals(program, launch, { .threads = 4 });
        ASSERT_TRUE(one && four);
        EXPECT_EQ(one->instructions, four->instructions);
        EXPECT_EQ(one->hazards, four->hazards);
        EXPECT_EQ(one->blocksExecuted, four->blocksExecuted);
        EXPECT_EQ(one->warpInstructions, four->warpInstructions);
    }
}

TEST(GridTotals, dataDependentAddressesUseTheData)
{
    const auto launch = launchOf({ 40 }, { 128 }, 20000, 20000, { 5000, 4999 });
    const Program program = kernel("gather");
    const auto totals = gridTotals(program, launch);
    ASSERT_TRUE(totals.has_value());
    EXPECT_TRUE(totals->valuesNeeded);
    EXPECT_EQ(totals->blocksExecuted, 40u);
    // The same requests as the traces of all blocks, which hold real values.
    std::uint64_t requests = 0;
    for (const auto& i : totals->instructions)
        requests += i.requests;
    std::uint64_t traced = 0;
    for (std::uint32_t x = 0; x < 40; ++x) {
        const auto trace = traceBlock(program, launch, { x, 0, 0 });
        ASSERT_TRUE(trace.has_value());
        for (const auto& warp : trace->warps)
            traced += warp.size();
    }
    EXPECT_EQ(requests, traced);
}

TEST(GridTotals, valuesThatOtherBlocksChangeAreNotVouchedFor)
{
    const Program program = kernel("gather");
    const auto isDoubted = [&](std::uint32_t blocks) {
        Launch launch = launchOf({ blocks }, { 128 }, 2000, 2000, { 500, 499 });
        std::memcpy(launch.parameters.data() + 8, launch.parameters.data(), 8); // out = in
        const auto totals = gridTotals(program, launch);
        EXPECT_TRUE(totals.has_value());
        return totals && std::ranges::any_of(totals->hazards, [](const Hazard& h) { return h.kind == HazardKind::NotModelled; });
    };
    EXPECT_TRUE(isDoubted(4));
    EXPECT_FALSE(isDoubted(1)) << "what a block changes itself it finds";
}

TEST(GridTotals, progressReachesOne)
{
    std::atomic<double> progress = 0;
    const auto totals = gridTotals(kernel("triangle"),
        launchOf({ 9, 40 }, { 32, 8 }, 331 * 271 * 4, 331 * 271 * 4, { 331, 271 }),
        { .progress = &progress });
    ASSERT_TRUE(totals.has_value());
    EXPECT_EQ(progress.load(), 1.0);
}

/// Counted in the process's own time, so that a busy machine does not matter.
TEST(GridTotals, isCancelledWithinATenthOfASecond)
{
    const auto bytes = std::uint64_t(65536) * 65536 * 4;
    const Program program = kernel("naive");
    const Launch launch
        = launchOf({ 2048, 8192 }, { 32, 8 }, bytes, bytes, { 65536, 65536 });
    for (const bool plan : { true, false })
        for (const int threads : { 1, 2 }) {
            std::stop_source stop;
            std::atomic<double> progress = 0;
            std::clock_t asked = 0;
            std::jthread canceller([&] {
                while (progress == 0)
                    std::this_thread::yield();
                asked = std::clock();
                stop.request_stop();
            });
            const auto totals = gridTotals(program, launch,
                { .threads = threads,
                    .executeEveryBlock = true,
                    .planBlocks = plan,
                    .stop = stop.get_token(),
                    .progress = &progress });
            const std::clock_t returned = std::clock();
            canceller.join();
            ASSERT_FALSE(totals.has_value());
            EXPECT_EQ(totals.error().code, ErrorCode::Cancelled);
            EXPECT_LT(progress, 1);
            EXPECT_LT(double(returned - asked) / CLOCKS_PER_SEC, 0.1);
        }
}

TEST(GridTotals, impossibleLaunchIsRefused)
{
    auto launch = launchOf({ 1 }, { 1025 }, 4096, 4096, { 1, 1 });
    EXPECT_EQ(gridTotals(kernel("naive"), launch).error().code, ErrorCode::IllegalLaunch);
    launch.block.x = 32;
    launch.parameters.resize(8);
    EXPECT_EQ(gridTotals(kernel("naive"), launch).error().code, ErrorCode::IllegalLaunch);
}

TEST(GridOutput, transposedWithTheWriterOfEachByte)
{
    constexpr std::int32_t rows = 45, cols = 70;
    const Program program = kernel("tiled");
    const auto launch
        = launchOf({ 3, 2 }, { 32, 8 }, rows * cols * 4, rows * cols * 4, { rows, cols });
    const auto output = gridOutput(program, launch);
    ASSERT_TRUE(output.has_value());
    std::vector<std::uint32_t> in(rows * cols), out(rows * cols);
    std::memcpy(in.data(), output->buffers[0].data(), in.size() * 4);
    std::memcpy(out.data(), output->buffers[1].data(), out.size() * 4);
    for (std::size_t y = 0; y < rows; ++y)
        for (std::size_t x = 0; x < cols; ++x)
            ASSERT_EQ(out[x * rows + y], in[y * cols + x]);
    EXPECT_TRUE(std::ranges::all_of(output->writer[0], [](std::uint32_t w) { return w == kNone; }));
    EXPECT_TRUE(std::ranges::all_of(output->writer[1],
        [&](std::uint32_t w) { return w != kNone && program.instructions[w].op == Opcode::St; }));
}

TEST(BlockTrace, stepsOfAWarpInOrder)
{
    const auto trace = traceBlock(kernel("tiled"),
        launchOf({ 128, 128 }, { 32, 8 }, kBytes, kBytes, { kSize, kSize }), { 5, 7, 0 });
    ASSERT_TRUE(trace.has_value());
    ASSERT_EQ(trace->warps.size(), 8u);
    EXPECT_TRUE(trace->hazards.empty());
    const auto& steps = trace->warps[3];
    ASSERT_EQ(steps.size(), 17u); // 4 loads, 4 stores to the tile, a barrier, 4 loads, 4 stores
    EXPECT_EQ(std::ranges::count(steps, TraceKind::Barrier, &TraceStep::kind), 1);
    EXPECT_EQ(steps[8].kind, TraceKind::Barrier);
    EXPECT_EQ(steps[0].access.space, Space::Global);
    EXPECT_EQ(steps[0].access.active, kAllLanes);
    EXPECT_EQ(
        steps[0].access.address[2], 0x7'0000'0000u + ((7 * 32 + 3) * kSize + 5 * 32 + 2) * 4u);
    EXPECT_EQ(traceBlock(kernel("tiled"), launchOf({ 2 }, { 32, 8 }, 4, 4, { 1, 1 }), { 2, 0, 0 })
                  .error()
                  .code,
        ErrorCode::WrongUsage);
}

} // namespace
} // namespace coalescope::analysis
