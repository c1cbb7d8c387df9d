// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/block_shape.h"

#include <gtest/gtest.h>

namespace {

using namespace coalescope;
using analysis::MemoryOp;
using analysis::Space;
using analysis::TraceStep;

constexpr std::uint64_t kIn = 0x10000, kOut = 0x20000;
const std::vector<analysis::Buffer> kBuffers { { .name = "in", .address = kIn, .bytes = 0x8000 },
    { .name = "out", .address = kOut, .bytes = 0x4000 } };

/// 32 lanes, `stride` bytes apart, 4 bytes each.
TraceStep access(std::uint32_t instruction, Space space, MemoryOp op, std::uint64_t first,
    std::uint64_t stride = 4)
{
    TraceStep step { .instruction = instruction };
    step.access = { .space = space, .op = op, .active = analysis::kAllLanes };
    for (std::size_t lane = 0; lane < 32; ++lane)
        step.access.address[lane] = first + lane * stride;
    return step;
}

TraceStep load(std::uint32_t instruction, std::uint64_t first, std::uint64_t stride = 4)
{
    return access(instruction, Space::Global, MemoryOp::Load, first, stride);
}

TraceStep store(std::uint32_t instruction, std::uint64_t first, std::uint64_t stride = 4)
{
    return access(instruction, Space::Global, MemoryOp::Store, first, stride);
}

TraceStep barrier(std::uint32_t instruction)
{
    return { .kind = analysis::TraceKind::Barrier, .instruction = instruction };
}

kernels::BlockShape shapeOf(std::vector<std::vector<TraceStep>> warps)
{
    analysis::BlockTrace trace;
    trace.warps = std::move(warps);
    return kernels::blockShape(trace, kBuffers);
}

TEST(BlockShape, loadsBeforeAStoreWaitTogether)
{
    EXPECT_EQ(shapeOf({ { load(1, kIn), load(2, kIn + 128), store(3, kOut) } }).loadRounds, 1);
}

TEST(BlockShape, aStoreBetweenLoadsSeparatesThem)
{
    const auto shape
        = shapeOf({ { load(1, kIn), store(2, kOut), load(3, kIn + 128), store(4, kOut + 128) } });
    EXPECT_EQ(shape.loadRounds, 2);
}

TEST(BlockShape, aSharedStoreBetweenLoadsDoesNot)
{
    const auto shared = access(2, Space::Shared, MemoryOp::Store, 0);
    const auto shape = shapeOf({ { load(1, kIn), shared, load(3, kIn + 128), barrier(5) } });
    EXPECT_EQ(shape.loadRounds, 1);
    EXPECT_EQ(shape.barriers, 1);
}

TEST(BlockShape, everyTurnOfALoopWaits)
{
    const auto shape = shapeOf({ { load(1, kIn), load(1, kIn + 128), load(1, kIn + 256) } });
    EXPECT_EQ(shape.loadRounds, 3);
}

TEST(BlockShape, aSectorThatTwoWarpsLoadIsDistinctOnce)
{
    const auto shape = shapeOf({ { load(1, kIn) }, { load(1, kIn) } });
    EXPECT_EQ(shape.loadSectors, 8);
    EXPECT_EQ(shape.distinctSectors, 4);
}

TEST(BlockShape, asynchronousCopiesAreRead)
{
    const auto copy = access(1, Space::Global, MemoryOp::AsyncCopy, kIn);
    EXPECT_EQ(shapeOf({ { copy } }).loadPairs, 2);
}

TEST(BlockShape, partsOfASectorAreToldFromWholeSectors)
{
    const auto whole = shapeOf({ { store(1, kOut) } });
    EXPECT_EQ(whole.storeSectors, 4);
    EXPECT_EQ(whole.partStoreSectors, 0);
    const auto column = shapeOf({ { store(1, kOut, 64) }, { store(1, kOut + 4, 64) } });
    EXPECT_EQ(column.storeSectors, 32);
    EXPECT_EQ(column.partStoreSectors, 32) << "two warps wrote 8 of 32 bytes";
}

TEST(BlockShape, neighbouringSectorsAreOneStretch)
{
    EXPECT_EQ(shapeOf({ { load(1, kIn) } }).loadRuns, 1);
    EXPECT_EQ(shapeOf({ { load(1, kIn, 256) } }).loadRuns, 32);
    EXPECT_EQ(shapeOf({ { load(1, kIn, 64) } }).loadRuns, 1) << "DRAM moves sectors in pairs";
}

TEST(BlockShape, aTouchedBufferCountsWhole)
{
    const auto shape = shapeOf({ { load(1, kIn), store(2, kOut) } });
    EXPECT_EQ(shape.loadBufferBytes, 0x8000);
    EXPECT_EQ(shape.storeBufferBytes, 0x4000);
}

} // namespace
