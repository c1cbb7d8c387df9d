// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/block.h"
#include "analysis/grid/grid_totals.h"

namespace coalescope::analysis {

namespace {

/// Verification looks at values only.
class Nobody final : public BlockObserver {
    Result<void> onAccess(std::uint32_t, const WarpAccess&, std::span<const ResidueCount>) override
    {
        return {};
    }
    void onBarrier(std::uint32_t, std::uint32_t) override { }
};

} // namespace

Result<GridOutput> gridOutput(const Program& program, const Launch& launch, std::stop_token stop)
{
    return gridOutput(program, launch, GridOptions { .stop = std::move(stop) });
}

Result<GridOutput> gridOutput(
    const Program& program, const Launch& launch, const GridOptions& options)
{
    const auto decoded = decode(program, launch);
    if (!decoded)
        return std::unexpected(decoded.error());
    const MemoryMap map(launch, program);
    GlobalMemory memory(map, options.noteWriters ? Keep::Writers : Keep::Nothing);
    const auto plan = options.planBlocks
        ? planBlocks(*decoded, launch, Values::Kept, options.simd.value_or(simdLevel()))
        : std::nullopt;
    auto block = plan ? std::make_unique<Block>(*plan, launch, map)
                      : std::make_unique<Block>(*decoded, launch, map);
    Nobody nobody;
    HazardLog hazards;
    std::uint64_t instructions = 0;
    for (std::uint32_t z = 0; z < launch.grid.z; ++z)
        for (std::uint32_t y = 0; y < launch.grid.y; ++y)
            for (std::uint32_t x = 0; x < launch.grid.x; ++x) {
                if (options.stop.stop_requested())
                    return fail(ErrorCode::Cancelled, "cancelled");
                auto outcome = block->run(
                    singleBlock({ x, y, z }), nobody, { .values = &memory, .stop = options.stop, .findsRaces = options.findsRaces });
                if (outcome.end != BlockEnd::Done)
                    return std::unexpected(std::move(outcome.error));
                hazards.merge(block->hazards());
                instructions += block->issued();
                if (options.instructions)
                    *options.instructions = instructions;
                if (options.mostInstructions && instructions > options.mostInstructions)
                    return fail(ErrorCode::ExecutionFailed, "more than " + std::to_string(options.mostInstructions) + " instructions to execute");
            }
    GridOutput output { .hazards = hazards.sorted(), .tickets = memory.tickets() };
    for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
        const bool isInto = !options.into.empty();
        auto* const bytes = isInto ? nullptr : &output.buffers.emplace_back();
        auto* const writer = isInto ? nullptr : &output.writer.emplace_back();
        for (std::size_t b = 0; b < map.buffers().size(); ++b) {
            if (map.buffers()[b].address != launch.buffers[i].address || map.buffers()[b].bytes != launch.buffers[i].bytes)
                continue;
            if (!isInto)
                memory.copyOut(b, *bytes, *writer);
            else if (!options.into[i].empty())
                memory.copyTouched(b, options.into[i]);
        }
    }
    return output;
}

} // namespace coalescope::analysis
