// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/block_trace.h"

#include "analysis/execute/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <optional>
#include <span>
#include <utility>

namespace coalescope::analysis {

namespace {

constexpr std::size_t kKeptConstantLoads = 512; ///< of a warp: enough to see what they find where loads before have been

/// What a load asks for, each once, in the order of the lanes.
class DifferentOnes {
public:
    void add(std::uint64_t one)
    {
        if (std::find(m_ones.begin(), m_ones.begin() + m_count, one) == m_ones.begin() + m_count)
            m_ones[std::size_t(m_count++)] = one;
    }
    [[nodiscard]] std::span<const std::uint64_t> all() const { return std::span(m_ones).first(std::size_t(m_count)); }

private:
    std::array<std::uint64_t, kWarpLanes> m_ones {};
    std::ptrdiff_t m_count = 0;
};

void addRequest(ConstantLoads& loads, const ConstantLoad& load)
{
    DifferentOnes addresses, lines;
    for (LaneMask rest = load.lanes; rest != 0; rest &= rest - 1) {
        const std::uint64_t address = load.address[std::size_t(std::countr_zero(rest))];
        addresses.add(address);
        lines.add(address / kConstantLineBytes);
    }
    loads.requests += 1;
    loads.addresses += addresses.all().size();
    if (loads.ends.size() >= kKeptConstantLoads)
        return;
    for (const std::uint64_t line : lines.all())
        loads.lines.push_back(std::uint32_t(line));
    loads.ends.push_back(std::uint32_t(loads.lines.size()));
}

/// The groups of cp.async that a warp has not waited for.
class CopyGroups {
public:
    void onCopy(std::uint32_t steps) { m_open = m_open.value_or(steps); }
    void commit() { m_pending.push_back(std::exchange(m_open, {})); }
    /// Steps made before the first copy of the last group that is there, when only so many more are on their way.
    [[nodiscard]] std::optional<std::uint32_t> wait(std::uint64_t groups)
    {
        std::optional<std::uint32_t> asked;
        for (; m_pending.size() > groups; m_pending.pop_front())
            asked = m_pending.front() ? m_pending.front() : asked;
        return asked;
    }

private:
    std::optional<std::uint32_t> m_open; ///< the group that is not committed
    std::deque<std::optional<std::uint32_t>> m_pending; ///< those without copies too
};

class Tracer final : public BlockObserver {
public:
    explicit Tracer(BlockTrace& trace)
        : m_trace(trace)
        , m_local(trace.warps.size())
        , m_nextConstant(trace.warps.size())
        , m_copies(trace.warps.size())
    {
    }
    Result<void> onAccess(
        std::uint32_t warp, const WarpAccess& access, std::span<const ResidueCount>) override
    {
        if (access.op == MemoryOp::AsyncCopy)
            m_copies[warp].onCopy(stepsOf(warp));
        m_trace.warps[warp].push_back({ TraceKind::Access, access.instruction, access });
        m_local[warp] += access.space == Space::Local;
        return {};
    }
    void onBarrier(std::uint32_t warp, std::uint32_t instruction) override
    {
        m_trace.warps[warp].push_back({ TraceKind::Barrier, instruction, {} });
    }
    void onConstantLoad(std::uint32_t warp, const ConstantLoad& load) override
    {
        // ptxas loads the two halves of eight bytes at once, and no more.
        static constexpr std::uint32_t kMostAtOnce = 8;
        std::uint64_t& next = m_nextConstant[warp];
        const std::uint64_t first = load.address[std::size_t(std::countr_zero(load.lanes))];
        const bool isSecondHalf = load.widthBytes == 4 && first == next && first % 8 == 4;
        next = first + load.widthBytes;
        if (isSecondHalf)
            return;
        for (std::uint32_t loaded = 0; loaded < load.widthBytes; loaded += kMostAtOnce)
            addRequest(m_trace.constants[warp], load);
    }
    void onCopyEvent(std::uint32_t warp, const CopyEvent& event) override
    {
        const std::uint32_t steps = stepsOf(warp);
        switch (event.kind) {
        case CopyEvent::Kind::Commit:
            m_copies[warp].commit();
            break;
        case CopyEvent::Kind::Groups:
            if (const auto asked = m_copies[warp].wait(event.value))
                m_trace.copyWaits[warp].push_back({ steps, *asked, {} });
            break;
        case CopyEvent::Kind::Barrier:
            m_trace.copyWaits[warp].push_back({ steps, steps, event.value });
            break;
        }
    }
    void onTurn(std::uint32_t warp, std::uint32_t instruction) override
    {
        auto& turns = m_trace.turns[warp];
        const auto steps = std::uint32_t(stepsOf(warp) - m_local[warp]);
        for (auto loop = turns.rbegin(); loop != turns.rend() && loop->steps == steps; ++loop) {
            if (loop->instruction == instruction) {
                ++loop->count;
                return;
            }
        }
        turns.push_back({ instruction, steps, 1 });
    }

private:
    [[nodiscard]] std::uint32_t stepsOf(std::uint32_t warp) const { return std::uint32_t(m_trace.warps[warp].size()); }

    BlockTrace& m_trace;
    std::vector<std::size_t> m_local; ///< steps of each warp that access local memory
    std::vector<std::uint64_t> m_nextConstant; ///< behind what each warp has loaded last
    std::vector<CopyGroups> m_copies;
};

enum class TraceValues { Always, WhereNeeded };

Result<void> checkBlock(const Launch& launch, Dim3 block)
{
    if (block.x >= launch.grid.x || block.y >= launch.grid.y || block.z >= launch.grid.z)
        return fail(ErrorCode::WrongUsage,
            fmt::format("block ({}, {}, {}) is outside the grid of {} x {} x {}", block.x, block.y,
                block.z, launch.grid.x, launch.grid.y, launch.grid.z));
    return {};
}

/// Traces blocks of one launch, one after another. Each sees the fill and its own stores.
class Tracing {
public:
    Tracing(const Launch& launch, const Program& program, const DecodedProgram& decoded,
        TraceValues wanted, std::stop_token stop)
        : m_map(launch, program)
        , m_executor(decoded, launch, m_map)
        , m_warps((launch.block.count() + kWarpLanes - 1) / kWarpLanes)
        , m_stop(std::move(stop))
    {
        if (wanted == TraceValues::Always)
            m_values.emplace(m_map, Keep::UndoLog);
    }

    Result<BlockTrace> trace(Dim3 block, std::uint64_t mostInstructions)
    {
        for (;;) {
            BlockTrace result { .block = block };
            result.warps.resize(m_warps);
            result.turns.resize(m_warps);
            result.constants.resize(m_warps);
            result.copyWaits.resize(m_warps);
            Tracer tracer(result);
            const bool withValues = m_values.has_value();
            auto outcome = m_executor.run(singleBlock(block), tracer,
                { .values = withValues ? &*m_values : nullptr, .instructionLimit = mostInstructions, .stop = m_stop });
            if (withValues)
                m_values->undoStores();
            if (outcome.end == BlockEnd::Done) {
                result.hazards = m_executor.hazards().sorted();
                result.warpInstructions = m_executor.issued();
                return result;
            }
            if (withValues)
                return std::unexpected(std::move(outcome.error));
            m_values.emplace(m_map, Keep::UndoLog);
        }
    }

private:
    MemoryMap m_map;
    std::optional<GlobalMemory> m_values;
    Block m_executor;
    std::size_t m_warps;
    std::stop_token m_stop;
};

Result<std::vector<BlockTrace>> trace(const Program& program, const Launch& launch,
    std::span<const Dim3> blocks, TraceValues wanted, std::stop_token stop, std::optional<std::uint64_t> mostInstructions = {})
{
    for (const Dim3 block : blocks)
        if (auto inside = checkBlock(launch, block); !inside)
            return std::unexpected(inside.error());
    const auto decoded = decode(program, launch);
    if (!decoded)
        return std::unexpected(decoded.error());
    Tracing tracing(launch, program, *decoded, wanted, std::move(stop));
    std::vector<BlockTrace> traces;
    for (const Dim3 block : blocks) {
        auto traced = tracing.trace(block, mostInstructions.value_or(BlockOptions {}.instructionLimit));
        if (!traced)
            return std::unexpected(std::move(traced.error()));
        if (mostInstructions)
            *mostInstructions -= std::min(*mostInstructions, traced->warpInstructions);
        traces.push_back(*std::move(traced));
    }
    return traces;
}

Result<BlockTrace> onlyOne(Result<std::vector<BlockTrace>> traces)
{
    if (!traces)
        return std::unexpected(std::move(traces.error()));
    return std::move(traces->front());
}

} // namespace

Result<BlockTrace> traceBlock(
    const Program& program, const Launch& launch, Dim3 block, std::stop_token stop)
{
    return onlyOne(trace(program, launch, { &block, 1 }, TraceValues::Always, std::move(stop)));
}

Result<BlockTrace> traceAddresses(
    const Program& program, const Launch& launch, Dim3 block, std::stop_token stop)
{
    return onlyOne(
        trace(program, launch, { &block, 1 }, TraceValues::WhereNeeded, std::move(stop)));
}

Result<std::vector<BlockTrace>> traceAddresses(const Program& program, const Launch& launch,
    std::span<const Dim3> blocks, std::stop_token stop, std::optional<std::uint64_t> mostInstructions)
{
    return trace(program, launch, blocks, TraceValues::WhereNeeded, std::move(stop), mostInstructions);
}

} // namespace coalescope::analysis
