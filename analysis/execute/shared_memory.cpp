// SPDX-License-Identifier: Apache-2.0
#include "analysis/execute/shared_memory.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace coalescope::analysis {

void SharedMemory::reset(std::uint32_t bytes, std::uint32_t warps, std::uint32_t grain)
{
    m_mode = Mode::Alone;
    resetBytes(bytes);
    resetOrder(warps, grain);
}

void SharedMemory::resetBytes(std::uint32_t bytes)
{
    m_bytes.assign(bytes, 0);
    m_flags.assign(bytes, kByteUnwritten);
    nonlinearAxes = 0;
}

void SharedMemory::resetOrder(std::uint32_t warps, std::uint32_t grain)
{
    const std::size_t cells = (m_bytes.size() + grain - 1) / grain;
    const bool clocksWornOut = *std::ranges::max_element(m_clock) > 0xf0000000u;
    if (m_cells.size() != cells || grain != m_grain || clocksWornOut) {
        m_cells.assign(cells, {});
        m_clock = {};
    }
    m_grain = grain;
    m_warps = warps;
    orderAll();
}

void SharedMemory::orderAll()
{
    m_clock.fill(*std::ranges::max_element(m_clock) + 1);
    for (auto& known : m_known)
        known.fill(m_clock[0]);
}

void SharedMemory::orderWarp(std::uint32_t warp) { m_known[warp][warp] = ++m_clock[warp]; }

void SharedMemory::syncAll()
{
    if (!isFollowed(SharedEvent::Kind::SyncAll, 0))
        orderAll();
}

void SharedMemory::syncWarp(std::uint32_t warp)
{
    if (!isFollowed(SharedEvent::Kind::SyncWarp, warp))
        orderWarp(warp);
}

/// A barrier that not every warp waits at is left to the clocks.
void SharedMemory::arrive(std::uint32_t warp, std::array<std::uint32_t, 32>& joined)
{
    if (m_mode != Mode::Alone) {
        leave();
        m_usable = false;
    }
    orderWarp(warp);
    for (std::size_t v = 0; v < 32; ++v)
        joined[v] = std::max(joined[v], m_known[warp][v]);
}

void SharedMemory::join(std::uint32_t warp, const std::array<std::uint32_t, 32>& joined)
{
    if (m_mode != Mode::Alone) {
        leave();
        m_usable = false;
    }
    for (std::size_t v = 0; v < 32; ++v)
        m_known[warp][v] = std::max(m_known[warp][v], joined[v]);
}

void SharedMemory::resetAndFollow(
    std::uint32_t bytes, std::uint32_t warps, std::uint32_t grain, bool movesData)
{
    m_movesData = movesData;
    m_next = 0;
    m_warps = warps;
    m_grain = grain;
    if (m_usable && m_bytes.size() == bytes) {
        m_mode = Mode::Following;
        if (movesData)
            resetBytes(bytes);
        return;
    }
    retireAll();
    m_mode = Mode::Recording;
    m_usable = true;
    resetBytes(bytes);
    resetOrder(warps, grain);
}

void SharedMemory::retireAll()
{
    std::ranges::move(m_events, std::back_inserter(m_retired));
    m_events.clear();
}

bool SharedMemory::isFollowed(SharedEvent::Kind kind, std::uint32_t warp)
{
    if (m_mode == Mode::Alone)
        return false;
    if (SharedEvent* const event = expected();
        event != nullptr && event->kind == kind && event->warp == warp) {
        pass(*event);
        return true;
    }
    leave();
    append({ .kind = kind, .warp = warp });
    return false;
}

void SharedMemory::leave()
{
    if (m_mode != Mode::Following)
        return;
    m_mode = Mode::Recording;
    if (!m_movesData)
        resetBytes(std::uint32_t(m_bytes.size()));
    resetOrder(m_warps, m_grain);
    for (std::size_t e = 0; e < m_next; ++e)
        makeUpFor(m_events[e]);
    std::ranges::move(m_events.begin() + std::ptrdiff_t(m_next), m_events.end(),
        std::back_inserter(m_retired));
    m_events.resize(m_next);
}

/// The event is one of a block without a hazard: touching again finds none either.
void SharedMemory::makeUpFor(const SharedEvent& event)
{
    if (event.kind == SharedEvent::Kind::SyncAll)
        return orderAll();
    if (event.kind == SharedEvent::Kind::SyncWarp)
        return orderWarp(event.warp);
    ++m_access;
    for (LaneMask rest = event.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = std::uint32_t(std::countr_zero(rest));
        const std::uint64_t address = event.address(lane);
        (void)touch(event.warp * kWarpLanes + lane, event.instruction,
            event.writes ? Touch::Write : Touch::Read, address, event.widthBytes);
        if (event.writes && !m_movesData)
            std::fill_n(flags(address), event.widthBytes, std::uint8_t(0));
    }
}

void SharedMemory::append(const SharedEvent& event)
{
    if (m_mode != Mode::Recording || !m_usable)
        return;
    if (m_events.size() >= kMostEvents)
        m_usable = false;
    else
        m_events.push_back(event);
}

bool SharedMemory::touch(std::uint32_t thread, std::uint32_t instruction,
    Touch touch, std::uint64_t address, std::uint32_t width)
{
    if (!m_isWatched)
        return false;
    bool raced = false;
    const int grainBits = std::countr_zero(m_grain); // a division takes longer
    const std::uint64_t last
        = std::min<std::uint64_t>((address + width - 1) >> grainBits, m_cells.size() - 1);
    for (std::uint64_t cell = address >> grainBits; cell <= last; ++cell) {
        Race race;
        const bool found = touch == Touch::Read
            ? read(m_cells[cell], thread, instruction, race)
            : write(m_cells[cell], thread, instruction, touch == Touch::Atomic, race);
        if (found && !raced)
            m_race = race;
        raced |= found;
    }
    return raced;
}

bool SharedMemory::writtenByThisAccess(std::uint64_t address) const
{
    return m_isWatched && m_cells[address >> std::countr_zero(m_grain)].writeAccess == m_access;
}

bool SharedMemory::read(Cell& cell, std::uint32_t thread, std::uint32_t instruction, Race& race)
{
    const std::uint32_t warp = thread / 32;
    const bool raced = cell.writeThread != thread && cell.writeInstruction != kNone
        && unordered(cell.writeClock, cell.writeThread / 32, warp);
    if (raced)
        race = { cell.writeInstruction, cell.writeThread, true };
    if (cell.readWarp == warp && cell.readClock == m_clock[warp]) {
        cell.readLanes |= 1u << thread % 32;
        return raced;
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
    return raced;
}

bool SharedMemory::write(
    Cell& cell, std::uint32_t thread, std::uint32_t instruction, bool atomic, Race& race)
{
    const std::uint32_t warp = thread / 32;
    bool raced = true;
    const LaneMask otherLanes
        = cell.readWarp == warp ? cell.readLanes & ~(1u << thread % 32) : cell.readLanes;
    if (cell.writeThread != thread && cell.writeInstruction != kNone && cell.writeAccess != m_access
        && !(atomic && cell.writeAtomic) && unordered(cell.writeClock, cell.writeThread / 32, warp))
        race = { cell.writeInstruction, cell.writeThread, true };
    else if (otherLanes != 0 && unordered(cell.readClock, cell.readWarp, warp))
        race = { cell.readInstruction,
            cell.readWarp * 32u + std::uint32_t(std::countr_zero(otherLanes)), false };
    else if (cell.otherInstruction != kNone && cell.otherThread != thread
        && unordered(cell.otherClock, cell.otherThread / 32, warp))
        race = { cell.otherInstruction, cell.otherThread, false };
    else
        raced = false;
    cell.writeThread = std::uint16_t(thread);
    cell.writeClock = m_clock[warp];
    cell.writeInstruction = instruction;
    cell.writeAccess = m_access;
    cell.writeAtomic = atomic;
    return raced;
}

} // namespace coalescope::analysis
