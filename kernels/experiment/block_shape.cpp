// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/block_shape.h"

#include "analysis/access/sector_model.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

namespace coalescope::kernels {

namespace {

using analysis::MemoryOp;
using analysis::Space;
using analysis::TraceKind;
using analysis::TraceStep;
using analysis::WarpAccess;

constexpr std::uint64_t kSector = analysis::kSectorBytes;
constexpr std::uint64_t kLineSectors = analysis::kCacheLineBytes / kSector;
constexpr std::uint64_t kPairSectors = 2;

/// A sector with the bytes of it that one warp's access covers.
struct SectorPart {
    std::uint64_t sector = 0;
    std::uint32_t bytes = 0;
};
using SectorParts = std::vector<SectorPart>;

bool isGlobal(const TraceStep& step, MemoryOp op)
{
    return step.kind == TraceKind::Access && step.access.space == Space::Global
        && step.access.op == op;
}

/// Appends the distinct sectors of one access, in order.
void appendParts(SectorParts& parts, const WarpAccess& access)
{
    const std::size_t begin = parts.size();
    for (std::uint32_t lanes = access.active; lanes != 0; lanes &= lanes - 1) {
        const std::uint64_t first = access.address[std::size_t(std::countr_zero(lanes))];
        const std::uint64_t end = first + access.widthBytes;
        for (std::uint64_t s = first / kSector; s <= (end - 1) / kSector; ++s) {
            const std::uint64_t from = std::max(first, s * kSector) - s * kSector;
            const std::uint64_t to = std::min(end, (s + 1) * kSector) - s * kSector;
            const auto bytes = std::uint32_t((std::uint64_t(1) << to) - (std::uint64_t(1) << from));
            if (parts.size() > begin && parts.back().sector == s)
                parts.back().bytes |= bytes;
            else
                parts.push_back({ s, bytes });
        }
    }
    const auto own = parts.begin() + std::ptrdiff_t(begin);
    if (own == parts.end())
        return;
    if (!std::ranges::is_sorted(own, parts.end(), {}, &SectorPart::sector))
        std::ranges::sort(own, parts.end(), {}, &SectorPart::sector);
    auto last = own;
    for (auto part = own + 1; part != parts.end(); ++part) {
        if (part->sector == last->sector)
            last->bytes |= part->bytes;
        else
            *++last = *part;
    }
    parts.erase(last + 1, parts.end());
}

/// Leaves each sector once: the part that covers most of its bytes.
void keepDistinct(SectorParts& parts)
{
    std::ranges::sort(parts, [](const SectorPart& a, const SectorPart& b) {
        return a.sector != b.sector ? a.sector < b.sector
                                    : std::popcount(a.bytes) > std::popcount(b.bytes);
    });
    parts.erase(std::ranges::unique(parts, {}, &SectorPart::sector).begin(), parts.end());
}

/// Groups of `size` neighbouring sectors that sorted parts lie in.
double countGroups(const SectorParts& sorted, std::uint64_t size)
{
    double count = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i)
        count += i == 0 || sorted[i].sector / size != sorted[i - 1].sector / size;
    return count;
}

/// Stretches of neighbouring pairs that sorted parts lie in.
double countRuns(const SectorParts& sorted)
{
    const auto pair = [&](std::size_t i) { return sorted[i].sector / kPairSectors; };
    double count = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i)
        count += i == 0 || pair(i) > pair(i - 1) + 1;
    return count;
}

double touchedBytes(const SectorParts& sorted, std::span<const analysis::Buffer> buffers)
{
    double bytes = 0;
    for (const analysis::Buffer& buffer : buffers) {
        const auto part
            = std::ranges::lower_bound(sorted, buffer.address / kSector, {}, &SectorPart::sector);
        if (part != sorted.end() && part->sector * kSector < buffer.address + buffer.bytes)
            bytes += double(buffer.bytes);
    }
    return bytes;
}

/// Counts how often one warp waits.
class Waits {
public:
    void onStep(const TraceStep& step)
    {
        if (step.kind == TraceKind::Barrier) {
            ++barriers;
            close();
            return;
        }
        const WarpAccess& access = step.access;
        if (access.active == 0)
            return;
        if (step.instruction <= m_previous)
            close(); // the next turn of a loop
        m_previous = step.instruction;
        if (access.op == MemoryOp::Load && access.space == Space::Global)
            m_global = true;
        else if (access.op == MemoryOp::Load && access.space == Space::Shared)
            m_shared = true;
        else if (access.space == Space::Global)
            closeGlobal();
    }
    void close()
    {
        closeGlobal();
        sharedRounds += m_shared;
        m_shared = false;
    }
    double loadRounds = 0, sharedRounds = 0, barriers = 0;

private:
    void closeGlobal()
    {
        loadRounds += m_global;
        m_global = false;
    }

    std::uint32_t m_previous = 0;
    bool m_global = false, m_shared = false;
};

/// An L1 that keeps the lines used last.
class LruLines {
public:
    explicit LruLines(std::size_t lines)
        : m_lines(lines)
    {
    }
    /// True where the sector is not there; it is afterwards.
    bool misses(std::uint64_t sector)
    {
        const std::uint64_t line = sector / kLineSectors;
        const auto found = m_where.find(line);
        if (found == m_where.end()) {
            m_order.push_front({ line, 0 });
            m_where[line] = m_order.begin();
            if (m_order.size() > m_lines) {
                m_where.erase(m_order.back().line);
                m_order.pop_back();
            }
        } else {
            m_order.splice(m_order.begin(), m_order, found->second);
        }
        const unsigned bit = 1u << (sector % kLineSectors);
        const bool missing = (m_order.front().sectors & bit) == 0;
        m_order.front().sectors |= bit;
        return missing;
    }

private:
    struct Line {
        std::uint64_t line = 0;
        unsigned sectors = 0;
    };
    std::size_t m_lines;
    std::list<Line> m_order;
    std::unordered_map<std::uint64_t, std::list<Line>::iterator> m_where;
};

double missesOfSmallL1(const analysis::BlockTrace& trace, std::size_t lines)
{
    LruLines l1(std::max<std::size_t>(lines, 1));
    std::size_t longest = 0;
    for (const auto& warp : trace.warps)
        longest = std::max(longest, warp.size());
    double misses = 0;
    SectorParts parts;
    for (std::size_t i = 0; i < longest; ++i) {
        for (const auto& warp : trace.warps) {
            if (i >= warp.size() || !isGlobal(warp[i], MemoryOp::Load))
                continue;
            parts.clear();
            appendParts(parts, warp[i].access);
            for (const SectorPart& part : parts)
                misses += l1.misses(part.sector);
        }
    }
    return misses;
}

} // namespace

BlockShape blockShape(const analysis::BlockTrace& trace, std::span<const analysis::Buffer> buffers,
    std::size_t l1Lines)
{
    BlockShape shape;
    SectorParts loads, stores;
    for (const auto& warp : trace.warps) {
        Waits waits;
        for (const TraceStep& step : warp) {
            waits.onStep(step);
            if (isGlobal(step, MemoryOp::Load))
                appendParts(loads, step.access);
            else if (isGlobal(step, MemoryOp::Store))
                appendParts(stores, step.access);
        }
        waits.close();
        shape.loadRounds = std::max(shape.loadRounds, waits.loadRounds);
        shape.sharedRounds = std::max(shape.sharedRounds, waits.sharedRounds);
        shape.barriers = std::max(shape.barriers, waits.barriers);
    }
    shape.loadSectors = double(loads.size());
    keepDistinct(loads);
    keepDistinct(stores);
    shape.loadLines = countGroups(loads, kLineSectors);
    shape.loadPairs = countGroups(loads, kPairSectors);
    shape.loadRuns = countRuns(loads);
    shape.loadBufferBytes = touchedBytes(loads, buffers);
    const bool repeats = double(loads.size()) < shape.loadSectors;
    shape.l1MissSectors = repeats && shape.loadLines > double(l1Lines)
        ? missesOfSmallL1(trace, l1Lines)
        : double(loads.size());
    shape.storeSectors = double(stores.size());
    shape.storeLines = countGroups(stores, kLineSectors);
    shape.storeRuns = countRuns(stores);
    shape.storeBufferBytes = touchedBytes(stores, buffers);
    shape.partStoreSectors = double(
        std::ranges::count_if(stores, [](const SectorPart& part) { return ~part.bytes != 0; }));
    return shape;
}

} // namespace coalescope::kernels
