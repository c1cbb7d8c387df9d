// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/shared_memory.h"

#include <algorithm>
#include <bit>

namespace coalescope::analysis {

void SharedMemory::reset(std::uint32_t bytes, std::uint32_t warps, std::uint32_t grain)
{
    m_bytes.assign(bytes, 0);
    m_flags.assign(bytes, kByteUnwritten);
    const std::size_t cells = (bytes + grain - 1) / grain;
    const bool clocksWornOut = *std::ranges::max_element(m_clock) > 0xf0000000u;
    if (m_cells.size() != cells || grain != m_grain || clocksWornOut) {
        m_cells.assign(cells, {});
        m_clock = {};
    }
    m_grain = grain;
    m_warps = warps;
    nonlinearAxes = 0;
    syncAll();
}

void SharedMemory::syncAll()
{
    m_clock.fill(*std::ranges::max_element(m_clock) + 1);
    for (auto& known : m_known)
        known.fill(m_clock[0]);
}

void SharedMemory::syncWarp(std::uint32_t warp) { m_known[warp][warp] = ++m_clock[warp]; }

void SharedMemory::arrive(std::uint32_t warp, std::array<std::uint32_t, 32>& joined)
{
    syncWarp(warp);
    for (std::size_t v = 0; v < 32; ++v)
        joined[v] = std::max(joined[v], m_known[warp][v]);
}

void SharedMemory::join(std::uint32_t warp, const std::array<std::uint32_t, 32>& joined)
{
    for (std::size_t v = 0; v < 32; ++v)
        m_known[warp][v] = std::max(m_known[warp][v], joined[v]);
}

std::optional<Race> SharedMemory::touch(std::uint32_t thread, std::uint32_t instruction,
    Touch touch, std::uint64_t address, std::uint32_t width)
{
    std::optional<Race> race;
    const std::uint64_t last
        = std::min<std::uint64_t>((address + width - 1) / m_grain, m_cells.size() - 1);
    for (std::uint64_t cell = address / m_grain; cell <= last; ++cell) {
        auto found = touch == Touch::Read
            ? read(m_cells[cell], thread, instruction)
            : write(m_cells[cell], thread, instruction, touch == Touch::Atomic);
        if (found && !race)
            race = found;
    }
    return race;
}

bool SharedMemory::writtenByThisAccess(std::uint64_t address) const
{
    return m_cells[address / m_grain].writeAccess == m_access;
}

std::optional<Race> SharedMemory::read(Cell& cell, std::uint32_t thread, std::uint32_t instruction)
{
    const std::uint32_t warp = thread / 32;
    std::optional<Race> race;
    if (cell.writeThread != thread && cell.writeInstruction != kNone
        && unordered(cell.writeClock, cell.writeThread / 32, warp))
        race = Race { cell.writeInstruction, cell.writeThread, true };
    if (cell.readWarp == warp && cell.readClock == m_clock[warp]) {
        cell.readLanes |= 1u << thread % 32;
        return race;
    }
    if (cell.readLanes != 0 && cell.readWarp != warp) {
        cell.otherClock = cell.readClock;
        cell.otherInstruction = cell.readInstruction;
        cell.otherThread
            = std::uint16_t(cell.readWarp * 32 + unsigned(std::countr_zero(cell.readLanes)));
    }
    cell.readWarp = std::uint16_t(warp);
    cell.readClock = m_clock[warp];
    cell.readLanes = 1u << thread % 32;
    cell.readInstruction = instruction;
    return race;
}

std::optional<Race> SharedMemory::write(
    Cell& cell, std::uint32_t thread, std::uint32_t instruction, bool atomic)
{
    const std::uint32_t warp = thread / 32;
    std::optional<Race> race;
    const LaneMask otherLanes
        = cell.readWarp == warp ? cell.readLanes & ~(1u << thread % 32) : cell.readLanes;
    if (cell.writeThread != thread && cell.writeInstruction != kNone && cell.writeAccess != m_access
        && !(atomic && cell.writeAtomic) && unordered(cell.writeClock, cell.writeThread / 32, warp))
        race = Race { cell.writeInstruction, cell.writeThread, true };
    else if (otherLanes != 0 && unordered(cell.readClock, cell.readWarp, warp))
        race = Race { cell.readInstruction,
            cell.readWarp * 32u + std::uint32_t(std::countr_zero(otherLanes)), false };
    else if (cell.otherInstruction != kNone && cell.otherThread != thread
        && unordered(cell.otherClock, cell.otherThread / 32, warp))
        race = Race { cell.otherInstruction, cell.otherThread, false };
    cell.writeThread = std::uint16_t(thread);
    cell.writeClock = m_clock[warp];
    cell.writeInstruction = instruction;
    cell.writeAccess = m_access;
    cell.writeAtomic = atomic;
    return race;
}

} // namespace coalescope::analysis
