// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/block_accesses.h"

#include "kernels/experiment/local_words.h"

#include <algorithm>
#include <optional>

namespace coalescope::kernels {

using analysis::MemoryOp;
using analysis::TraceStep;

bool isGlobalLoad(const TraceStep& step)
{
    return step.kind == analysis::TraceKind::Access && step.access.space == analysis::Space::Global
        && (step.access.op == MemoryOp::Load || step.access.op == MemoryOp::AsyncCopy || step.access.op == MemoryOp::BulkLoad);
}

bool isGlobalStore(const TraceStep& step)
{
    return step.kind == analysis::TraceKind::Access && step.access.space == analysis::Space::Global
        && isStore(step.access);
}

SectorParts distinctSectors(const analysis::BlockTrace& trace, bool (*isWanted)(const TraceStep&))
{
    SectorParts parts;
    for (const auto& warp : trace.warps)
        for (const TraceStep& step : warp)
            if (isWanted(step))
                appendParts(parts, step.access);
    keepDistinct(parts);
    return parts;
}

namespace {

/// Appends the lines that sectors lie in, with those of them that `counts` says.
template <class Counts> void appendLinesOf(std::vector<LinePart>& parts, const SectorParts& sectors, Counts&& counts)
{
    const std::size_t begin = parts.size();
    for (const SectorPart& sector : sectors) {
        const std::uint64_t line = sector.sector / kLineSectors;
        if (parts.size() == begin || parts.back().line != line)
            parts.push_back({ line, 0 });
        if (counts(sector))
            parts.back().sectors |= 1u << (sector.sector % kLineSectors);
    }
}

} // namespace

void appendLines(
    std::vector<LinePart>& parts, const analysis::WarpAccess& access, std::int64_t shift)
{
    thread_local SectorParts sectors;
    sectors.clear();
    appendParts(sectors, access, shift);
    appendLinesOf(parts, sectors, [](const SectorPart&) { return true; });
}

namespace {

/// What is stored to a part of a sector of local memory is not found by the next load.
void appendLocalLines(
    std::vector<LinePart>& parts, const analysis::WarpAccess& access, std::size_t warp, std::uint64_t linesOfAWarp)
{
    thread_local SectorParts sectors;
    sectors.clear();
    appendLocalParts(sectors, access, warp, linesOfAWarp);
    appendLinesOf(parts, sectors, [&](const SectorPart& part) { return access.op != MemoryOp::Store || ~part.bytes == 0; });
}

bool isSharedStore(const TraceStep& step)
{
    return step.kind == analysis::TraceKind::Access && step.access.space == analysis::Space::Shared
        && step.access.op == analysis::MemoryOp::Store;
}

} // namespace

/// `ends(access, isOfSameTurn)`: whether one begins with the access, which was in the turn of the one before or not.
template <class Ends> void BlockAccesses::endTurns(Ends ends)
{
    for (auto& warp : m_warps) {
        std::uint32_t ended = 0;
        std::optional<std::uint32_t> before; // the turn of the one before, as it was
        for (Access& access : warp) {
            ended += ends(access, access.turn == before);
            before = access.turn;
            access.turn += ended;
        }
    }
}

BlockAccesses::BlockAccesses(const analysis::BlockTrace& trace, std::size_t most, const LoadWaits& waits)
{
    constexpr double kNearlyAll = 0.9;
    read(trace, most, 0);
    if (waits.count > mostLoadTurns() && !waits.levels.empty()) // and for what it has loaded
        endTurnsAtLevels(waits.levels);
    if (waits.count > mostLoadTurns()) // ptxas waits for what is stored to shared memory
        endTurns([](const Access& access, bool) { return access.isAfterSharedStore; });
    if (waits.isForEach && waits.count > mostLoadTurns() && waits.count > kNearlyAll * mostLoads())
        endTurns([](const Access& access, bool isOfSameTurn) { return isOfSameTurn && !access.isStore(); });
    if (const double turns = mostLoadTurns(); waits.count > 0 && waits.count < turns && m_isWhole)
        for (auto& warp : m_warps)
            joinTurns(warp, waits.count / turns);
}

BlockAccesses::BlockAccesses(const analysis::BlockTrace& trace, std::size_t most, std::uint64_t localLinesOfAWarp)
    : m_localLines(localLinesOfAWarp * trace.warps.size())
{
    read(trace, most, localLinesOfAWarp);
}

BlockAccesses BlockAccesses::withLocal(const analysis::BlockTrace& trace, std::size_t most)
{
    return { trace, most, localLinesOfAWarp(trace) };
}

void BlockAccesses::read(const analysis::BlockTrace& trace, std::size_t most, std::uint64_t localLinesOfAWarp)
{
    for (const auto& steps : trace.warps) {
        auto& warp = m_warps.emplace_back();
        const TraceStep* previous = nullptr; // nothing where a turn ends
        bool storedToShared = false; // since then
        for (const TraceStep& step : steps) {
            const bool isWanted = isGlobalLoad(step) || isGlobalStore(step) || (localLinesOfAWarp > 0 && isLocal(step));
            if (!isWanted) {
                previous = step.kind == analysis::TraceKind::Barrier ? nullptr : previous;
                storedToShared = storedToShared || isSharedStore(step);
                continue;
            }
            if (warp.size() == most) {
                m_isWhole = false;
                break;
            }
            const bool together = previous && previous->instruction < step.instruction
                && isStore(previous->access) == isStore(step.access);
            const std::uint32_t turn = warp.empty() ? 0 : warp.back().turn + !together;
            previous = &step;
            const auto first = std::uint32_t(m_parts.size());
            if (isLocal(step))
                appendLocalLines(m_parts, step.access, m_warps.size() - 1, localLinesOfAWarp);
            else
                appendLines(m_parts, step.access);
            warp.push_back({ first, std::uint32_t(m_parts.size()) - first, step.instruction, turn, together && storedToShared,
                &step.access });
            storedToShared = false;
        }
    }
}

std::uint32_t BlockAccesses::turns() const
{
    std::uint32_t most = 0;
    for (const auto& warp : m_warps)
        most = std::max(most, warp.empty() ? 0 : warp.back().turn + 1);
    return most;
}

std::uint32_t BlockAccesses::mostLoadTurns() const
{
    std::uint32_t most = 0;
    for (const auto& warp : m_warps) {
        std::uint32_t turns = 0;
        for (std::size_t i = 0; i < warp.size(); ++i)
            turns += !warp[i].isStore() && (i == 0 || warp[i].turn != warp[i - 1].turn);
        most = std::max(most, turns);
    }
    return most;
}

double BlockAccesses::mostLoads() const
{
    std::ptrdiff_t most = 0;
    for (const auto& warp : m_warps)
        most = std::max(most, std::ranges::count_if(warp, [](const Access& access) { return !access.isStore(); }));
    return double(most);
}

/// Loads that wait for others of their turn have one of their own, with all that wait for as many.
void BlockAccesses::endTurnsAtLevels(std::span<const std::uint32_t> loadLevels)
{
    for (auto& warp : m_warps) {
        std::uint32_t ended = 0;
        for (auto begin = warp.begin(); begin != warp.end();) {
            const std::uint32_t turn = begin->turn;
            const auto end = std::find_if(begin, warp.end(), [&](const Access& access) { return access.turn != turn; });
            std::uint32_t most = 0;
            for (auto access = begin; access != end; ++access) {
                const std::uint32_t level = access->isStore() ? 0 : loadLevels[access->instruction];
                most = std::max(most, level);
                access->turn = turn + ended + level;
            }
            std::stable_sort(begin, end, [](const Access& a, const Access& b) { return a.turn < b.turn; });
            ended += most;
            begin = end;
        }
    }
}

void BlockAccesses::joinTurns(std::vector<Access>& warp, double share)
{
    std::uint32_t loadTurn = 0, previous = 0;
    bool first = true;
    for (Access& access : warp) {
        if (!access.isStore() && (first || access.turn != previous)) {
            loadTurn += !first;
            first = false;
        }
        previous = access.turn;
        access.turn = 2 * std::uint32_t(loadTurn * share) + access.isStore();
    }
    std::ranges::stable_sort(warp, {}, &Access::turn);
}

} // namespace coalescope::kernels
