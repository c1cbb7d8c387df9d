// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/block_shape.h"

#include "kernels/experiment/block_accesses.h"
#include "kernels/experiment/sector_parts.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>

namespace coalescope::kernels {

namespace {

using analysis::MemoryOp;
using analysis::Space;
using analysis::TraceKind;
using analysis::TraceStep;
using analysis::WarpAccess;

constexpr std::uint64_t kSector = analysis::kSectorBytes;

std::span<const SectorPart> sectorsIn(const SectorParts& sorted, const analysis::Buffer& buffer)
{
    const auto below = [&](std::uint64_t address) {
        return std::ranges::lower_bound(sorted, address / kSector, {}, &SectorPart::sector);
    };
    return { below(buffer.address), below(buffer.address + buffer.bytes + kSector - 1) };
}

double touchedBytes(const SectorParts& sorted, std::span<const analysis::Buffer> buffers)
{
    double bytes = 0;
    for (const analysis::Buffer& buffer : buffers)
        bytes += !sectorsIn(sorted, buffer).empty() ? double(buffer.bytes) : 0;
    return bytes;
}

/// The buffer of an access's first lane; buffers.size() where it has none, or lies in none.
std::size_t bufferOf(const WarpAccess& access, std::span<const analysis::Buffer> buffers)
{
    if (access.active == 0)
        return buffers.size();
    const std::uint64_t address = access.address[std::size_t(std::countr_zero(access.active))];
    const auto isIn = [&](const analysis::Buffer& buffer) { return address - buffer.address < buffer.bytes; };
    return std::size_t(std::ranges::find_if(buffers, isIn) - buffers.begin());
}

/// Lines that are in both of two sorted lists.
double commonLines(const SectorParts& a, const SectorParts& b)
{
    double lines = 0;
    std::uint64_t last = ~std::uint64_t(0);
    for (auto at = a.begin(), other = b.begin(); at != a.end() && other != b.end();) {
        const std::uint64_t line = at->sector / kLineSectors, otherLine = other->sector / kLineSectors;
        lines += line == otherLine && line != last;
        last = line == otherLine ? line : last;
        at += line <= otherLine;
        other += otherLine <= line;
    }
    return lines;
}

/// Distinct sectors that a block's warps load, which they have stored to before: they need not come from memory.
double storedBefore(const analysis::BlockTrace& trace)
{
    std::unordered_map<std::uint64_t, bool> storedFirst;
    SectorParts parts;
    double count = 0;
    for (const auto& warp : trace.warps) {
        for (const TraceStep& step : warp) {
            const bool store = isGlobalStore(step);
            if (!store && !isGlobalLoad(step))
                continue;
            parts.clear();
            appendParts(parts, step.access);
            for (const SectorPart& part : parts) {
                const auto [found, isNew] = storedFirst.try_emplace(part.sector, store);
                if (!isNew && found->second && !store) {
                    ++count;
                    found->second = false; // counted
                }
            }
        }
    }
    return count;
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
        else if (access.op == MemoryOp::Load && access.space == Space::Local)
            m_local = true;
        else if (access.space == Space::Global) {
            closeGlobal();
            m_atomic = m_atomic || access.op == MemoryOp::Atomic;
        }
    }
    void close()
    {
        closeGlobal();
        sharedRounds += m_shared;
        localRounds += m_local;
        atomicRounds += m_atomic;
        m_shared = m_local = m_atomic = false;
    }
    double loadRounds = 0, sharedRounds = 0, localRounds = 0, atomicRounds = 0, barriers = 0;

private:
    void closeGlobal()
    {
        loadRounds += m_global;
        m_global = false;
    }

    std::uint32_t m_previous = 0;
    bool m_global = false, m_shared = false, m_local = false, m_atomic = false;
};

} // namespace

double timesRead(const BlockShape::Touched& reads, double blocks)
{
    return reads.sectors * kSector * blocks / std::max(1.0, reads.heldBytes);
}

BlockShape blockShape(const analysis::BlockTrace& trace, std::span<const analysis::Buffer> buffers)
{
    BlockShape shape;
    shape.touched.resize(buffers.size());
    SectorParts loads, stores;
    for (const auto& warp : trace.warps) {
        Waits waits;
        for (const TraceStep& step : warp) {
            waits.onStep(step);
            if (isGlobalLoad(step)) {
                appendParts(loads, step.access);
                shape.goesPastL1 = shape.goesPastL1 || step.access.l1 >= analysis::L1Use::Bypassed;
                if (const auto buffer = bufferOf(step.access, buffers); buffer < buffers.size())
                    shape.touched[buffer].loads += 1;
            } else if (isGlobalStore(step)) {
                appendParts(stores, step.access);
            }
        }
        waits.close();
        shape.loadRounds = std::max(shape.loadRounds, waits.loadRounds);
        shape.sharedRounds = std::max(shape.sharedRounds, waits.sharedRounds);
        shape.localRounds = std::max(shape.localRounds, waits.localRounds);
        shape.atomicRounds = std::max(shape.atomicRounds, waits.atomicRounds);
        shape.barriers = std::max(shape.barriers, waits.barriers);
    }
    shape.copies = copyRounds(trace);
    shape.loadSectors = double(loads.size());
    keepDistinct(loads);
    keepDistinct(stores);
    shape.distinctSectors = double(loads.size());
    shape.loadLines = countGroups(loads, kLineSectors);
    shape.loadPairs = countGroups(loads, kPairSectors);
    shape.loadRuns = countRuns(loads);
    shape.loadBufferBytes = touchedBytes(loads, buffers);
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const auto loaded = sectorsIn(loads, buffers[i]), stored = sectorsIn(stores, buffers[i]);
        BlockShape::Touched& touched = shape.touched[i];
        touched.heldBytes = double(buffers[i].bytes);
        touched.sectors = double(loaded.size());
        touched.pairs = countGroups(loaded, kPairSectors);
        touched.lines = countGroups(loaded, kLineSectors);
        touched.storeLines = countGroups(stored, kLineSectors);
        for (const auto& sectors : { loaded, stored })
            for (const SectorPart& part : sectors)
                touched.middle += (double(part.sector * kSector) - double(buffers[i].address)) / double(loaded.size() + stored.size());
    }
    shape.storeSectors = double(stores.size());
    shape.storeLines = countGroups(stores, kLineSectors);
    shape.bothLines = commonLines(loads, stores);
    if (shape.bothLines > 0) {
        shape.storedSectorsLoaded = storedBefore(trace);
        const double fromMemory = 1 - shape.storedSectorsLoaded / shape.distinctSectors;
        shape.loadPairs *= fromMemory;
        shape.loadRuns *= fromMemory;
    }
    shape.storeRuns = countRuns(stores);
    shape.storeBufferBytes = touchedBytes(stores, buffers);
    shape.partStoreSectors = double(
        std::ranges::count_if(stores, [](const SectorPart& part) { return ~part.bytes != 0; }));
    return shape;
}

} // namespace coalescope::kernels
