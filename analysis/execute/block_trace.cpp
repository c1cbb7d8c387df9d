// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/block_trace.h"

#include "analysis/execute/block.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace coalescope::analysis {

namespace {

class Tracer final : public BlockObserver {
public:
    explicit Tracer(BlockTrace& trace)
        : m_trace(trace)
    {
    }
    Result<void> onAccess(
        std::uint32_t warp, const WarpAccess& access, std::span<const ResidueCount>) override
    {
        m_trace.warps[warp].push_back({ TraceKind::Access, access.instruction, access });
        return {};
    }
    void onBarrier(std::uint32_t warp, std::uint32_t instruction) override
    {
        m_trace.warps[warp].push_back({ TraceKind::Barrier, instruction, {} });
    }

private:
    BlockTrace& m_trace;
};

enum class TraceValues { Always, WhereNeeded };

Result<BlockTrace> trace(const Program& program, const Launch& launch, Dim3 block,
    TraceValues wanted, const std::stop_token& stop)
{
    if (block.x >= launch.grid.x || block.y >= launch.grid.y || block.z >= launch.grid.z)
        return fail(ErrorCode::WrongUsage,
            fmt::format("block ({}, {}, {}) is outside the grid of {} x {} x {}", block.x, block.y,
                block.z, launch.grid.x, launch.grid.y, launch.grid.z));
    const auto decoded = decode(program, launch);
    if (!decoded)
        return std::unexpected(decoded.error());
    const MemoryMap map(launch, program);
    for (const bool withValues : { wanted == TraceValues::Always, true }) {
        std::optional<GlobalMemory> values;
        if (withValues)
            values.emplace(map, Keep::UndoLog);
        Block executor(*decoded, launch, map);
        BlockTrace result { .block = block };
        result.warps.resize((launch.block.count() + kWarpLanes - 1) / kWarpLanes);
        Tracer tracer(result);
        auto outcome = executor.run(
            singleBlock(block), tracer, { .values = values ? &*values : nullptr, .stop = stop });
        if (outcome.end == BlockEnd::Done) {
            result.hazards = executor.hazards().sorted();
            return result;
        }
        if (withValues)
            return std::unexpected(std::move(outcome.error));
    }
    std::unreachable();
}

} // namespace

Result<BlockTrace> traceBlock(
    const Program& program, const Launch& launch, Dim3 block, std::stop_token stop)
{
    return trace(program, launch, block, TraceValues::Always, stop);
}

Result<BlockTrace> traceAddresses(
    const Program& program, const Launch& launch, Dim3 block, std::stop_token stop)
{
    return trace(program, launch, block, TraceValues::WhereNeeded, stop);
}

} // namespace coalescope::analysis
