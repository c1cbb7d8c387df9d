// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/traffic.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace coalescope::kernels {

namespace {

struct LoadShape {
    double reuse = 1; ///< distinct sectors over all sectors that one block loads
    double dramBytesPerSector
        = 32; ///< DRAM moves pairs of sectors: 64 where only one of a pair is wanted
};

LoadShape loadShape(const analysis::BlockTrace& trace)
{
    std::vector<std::uint64_t> all, one;
    for (const auto& warp : trace.warps) {
        for (const analysis::TraceStep& step : warp) {
            const analysis::WarpAccess& access = step.access;
            if (step.kind != analysis::TraceKind::Access || access.space != analysis::Space::Global
                || access.op != analysis::MemoryOp::Load)
                continue;
            one.clear();
            for (std::uint32_t lanes = access.active; lanes != 0; lanes &= lanes - 1) {
                const std::uint64_t first = access.address[std::size_t(std::countr_zero(lanes))];
                for (std::uint64_t s = first / 32; s <= (first + access.widthBytes - 1) / 32; ++s)
                    one.push_back(s);
            }
            std::ranges::sort(one);
            one.erase(std::ranges::unique(one).begin(), one.end());
            all.insert(all.end(), one.begin(), one.end());
        }
    }
    if (all.empty())
        return {};
    const double asked = double(all.size());
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    const double distinct = double(all.size());
    const auto samePair = [](std::uint64_t a, std::uint64_t b) { return a / 2 == b / 2; };
    const double pairs = double(std::ranges::unique(all, samePair).begin() - all.begin());
    return { .reuse = distinct / asked, .dramBytesPerSector = 64 * pairs / distinct };
}

/// Bytes of every buffer that the block in the middle touches with the operation.
double footprint(
    const analysis::BlockTrace& trace, const analysis::Launch& launch, analysis::MemoryOp op)
{
    std::vector<bool> touched(launch.buffers.size());
    for (const auto& warp : trace.warps) {
        for (const analysis::TraceStep& step : warp) {
            if (step.kind != analysis::TraceKind::Access
                || step.access.space != analysis::Space::Global || step.access.op != op
                || step.access.active == 0)
                continue;
            const std::uint64_t address
                = step.access.address[std::size_t(std::countr_zero(step.access.active))];
            for (std::size_t b = 0; b < launch.buffers.size(); ++b) {
                const analysis::Buffer& buffer = launch.buffers[b];
                if (address >= buffer.address && address < buffer.address + buffer.bytes)
                    touched[b] = true;
            }
        }
    }
    double bytes = 0;
    for (std::size_t b = 0; b < launch.buffers.size(); ++b)
        bytes += touched[b] ? double(launch.buffers[b].bytes) : 0;
    return bytes;
}

} // namespace

analysis::Traffic trafficOf(const Prediction& prediction, const analysis::GridTotals& totals)
{
    analysis::Traffic traffic;
    const analysis::Program& program = *prediction.program;
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
        const analysis::InstructionTotals& counts = totals.instructions[i];
        const bool store = program.instructions[i].op == analysis::Opcode::St;
        (store ? traffic.storeSectors : traffic.loadSectors) += double(counts.sectors);
        (store ? traffic.storeTags : traffic.loadTags) += double(counts.tags);
        traffic.sharedWavefronts += double(counts.wavefronts);
    }
    traffic.warpInstructions = double(totals.warpInstructions);
    const analysis::Dim3 grid = prediction.launch.grid;
    traffic.blocks = double(grid.count());
    traffic.warpsPerBlock = int((prediction.launch.block.count() + 31) / 32);
    const auto trace = traceBlock(prediction, { grid.x / 2, grid.y / 2, grid.z / 2 });
    if (trace) {
        using analysis::MemoryOp;
        const LoadShape shape = loadShape(*trace);
        traffic.blockLoadReuse = shape.reuse;
        traffic.readFootprintBytes = std::min(footprint(*trace, prediction.launch, MemoryOp::Load),
            shape.dramBytesPerSector * traffic.loadSectors * shape.reuse);
        traffic.writeFootprintBytes = std::min(
            footprint(*trace, prediction.launch, MemoryOp::Store), 32 * traffic.storeSectors);
    }
    return traffic;
}

} // namespace coalescope::kernels
