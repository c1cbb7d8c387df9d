// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/traffic.h"

#include "analysis/access/sector_model.h"
#include "kernels/experiment/block_shape.h"
#include "kernels/experiment/open_sectors.h"
#include "kernels/experiment/shared_reads.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace coalescope::kernels {

namespace {

void addTotals(analysis::Traffic& traffic, const analysis::Program& program,
    const analysis::GridTotals& totals)
{
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
        const analysis::InstructionTotals& counts = totals.instructions[i];
        const analysis::Opcode op = program.instructions[i].op;
        const bool store = op == analysis::Opcode::St;
        (store ? traffic.storeRequests : traffic.loadRequests) += double(counts.requests);
        (store ? traffic.storeSectors : traffic.loadSectors) += double(counts.sectors);
        (store ? traffic.storeTags : traffic.loadTags) += double(counts.tags);
        traffic.multiplyAdds += op == analysis::Opcode::Fma ? double(counts.executions) : 0;
        traffic.sharedInstructions += double(counts.sharedExecutions);
        traffic.sharedWavefronts += double(counts.wavefronts);
    }
    traffic.warpInstructions = double(totals.warpInstructions);
    traffic.programInstructions = double(program.instructions.size());
}

/// Lines of L1 that one of the blocks on an SM has for itself; all it asks for where L1's size is
/// not known.
std::size_t l1LinesOfABlock(const analysis::DeviceModel& device, const Prediction& prediction)
{
    const int resident = std::max(1, prediction.result.occupancy->blocksPerSm);
    const auto shared
        = prediction.program->staticSharedBytes + prediction.launch.dynamicSharedBytes;
    const auto bytes = l1BytesAfterCarveOut(device, std::uint32_t(shared), resident);
    return bytes ? std::size_t(*bytes) / std::size_t(resident) / analysis::kCacheLineBytes
                 : std::numeric_limits<std::size_t>::max();
}

/// Scales what one block touches to the grid; blocks that touch the same touch no more than the
/// buffers hold.
void addShape(analysis::Traffic& traffic, const BlockShape& shape)
{
    const auto grid = [&](double count, int bytes, double most) {
        return std::min(traffic.blocks * count * bytes, most);
    };
    traffic.l1ReadShare = shape.loadSectors > 0 ? shape.l1MissSectors / shape.loadSectors : 1;
    traffic.readBytes = grid(shape.loadPairs, 2 * analysis::kSectorBytes, shape.loadBufferBytes);
    traffic.writeBytes = grid(shape.storeSectors, analysis::kSectorBytes, shape.storeBufferBytes);
    traffic.readLineBytes = grid(shape.loadLines, analysis::kCacheLineBytes, shape.loadBufferBytes);
    traffic.writeLineBytes
        = grid(shape.storeLines, analysis::kCacheLineBytes, shape.storeBufferBytes);
    traffic.readRuns = shape.loadRuns;
    traffic.writeRuns = shape.storeRuns;
    traffic.storedSectors = shape.storeSectors;
    traffic.storedLines = shape.storeLines;
    traffic.partStoredSectors = shape.partStoreSectors;
    traffic.loadRounds = shape.loadRounds;
    traffic.sharedRounds = shape.sharedRounds;
    traffic.barriers = shape.barriers;
}

/// Mean width of the global stores; 0 where there are none.
double storeLaneBytes(const analysis::BlockTrace& trace)
{
    double bytes = 0, stores = 0;
    for (const auto& warp : trace.warps) {
        for (const analysis::TraceStep& step : warp) {
            if (isGlobalStore(step)) {
                bytes += step.access.widthBytes;
                stores += 1;
            }
        }
    }
    return stores > 0 ? bytes / stores : 0;
}

/// A block that stands for all, with its shape.
struct Example {
    analysis::BlockTrace trace;
    BlockShape shape;
};

/// The block in the middle of the grid; if it asks for more or less than the average block does, as the last one of a
/// row that a one-dimensional grid counts through, another one that is nearer. Nothing where none can be executed.
std::optional<Example> exampleOf(
    const Prediction& prediction, const analysis::Traffic& traffic, std::size_t l1Lines)
{
    constexpr double kNear = 0.05;
    const analysis::Launch& launch = prediction.launch;
    const auto distance = [&](const Example& example) {
        return traffic.loadSectors > 0
            ? std::abs(example.shape.loadSectors * traffic.blocks / traffic.loadSectors - 1)
            : 0;
    };
    const auto exampleAt = [&](analysis::Dim3 block) -> std::optional<Example> {
        auto trace = analysis::traceAddresses(*prediction.program, launch, block);
        if (!trace)
            return {};
        const BlockShape shape = blockShape(*trace, launch.buffers, l1Lines);
        return Example { std::move(*trace), shape };
    };
    // Where there are two blocks in a row, the first is the whole one.
    const analysis::Dim3 grid = launch.grid;
    const analysis::Dim3 middle { (grid.x - 1) / 2, (grid.y - 1) / 2, (grid.z - 1) / 2 };
    auto best = exampleAt(middle);
    for (const std::uint32_t x : { middle.x + 1, grid.x / 3, grid.x / 5 }) {
        if (!best || x >= grid.x || distance(*best) <= kNear)
            break;
        auto other = exampleAt({ x, middle.y, middle.z });
        if (other && distance(*other) < distance(*best))
            best = std::move(other);
    }
    return best;
}

} // namespace

analysis::Traffic trafficOf(const analysis::DeviceModel& device, const Prediction& prediction,
    const analysis::GridTotals& totals)
{
    analysis::Traffic traffic;
    traffic.blocks = double(prediction.launch.grid.count());
    addTotals(traffic, *prediction.program, totals);
    if (const auto example = exampleOf(prediction, traffic, l1LinesOfABlock(device, prediction))) {
        addShape(traffic, example->shape);
        const auto moves = BlockMoves::of(totals, prediction.launch.grid, example->trace, isGlobalStore);
        const OpenSectors open = openSectors(example->trace, moves ? &*moves : nullptr);
        traffic.followedSectors = open.followed;
        traffic.followedLines = open.followedLines;
        traffic.storeLaneBytes = storeLaneBytes(example->trace);
        traffic.openSectors = open.inBlock;
        traffic.openBetweenBlocks = open.betweenBlocks;
        traffic.openApart = open.apart;
        addSharedReads(traffic, device, prediction, totals, example->trace, example->shape);
    }
    return traffic;
}

} // namespace coalescope::kernels
