// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/decoded.h"
#include "analysis/execute/local_memory.h"
#include "analysis/program/program.h"

#include <array>
#include <span>

namespace coalescope::analysis {

/// Two accesses of one shared byte that nothing orders.
struct Race {
    std::uint32_t otherInstruction = kNone; ///< the earlier access
    std::uint32_t otherThread = 0;
    bool otherWrites = false;
};

enum class Touch : std::uint8_t { Read, Write, Atomic };

/// What happened to shared memory at one point of a block that had no hazard.
struct SharedEvent {
    enum class Kind : std::uint8_t { Access, SyncWarp, SyncAll };
    LaneWords base; ///< Access: of each lane, before the offset
    Kind kind = Kind::Access;
    bool writes = false;
    std::uint8_t widthBytes = 0;
    std::uint32_t warp = 0, instruction = 0;
    LaneMask lanes = 0;
    std::int64_t offset = 0;
    std::uint64_t repeated = 0; ///< times that it was met again

    [[nodiscard]] std::uint64_t address(std::size_t lane) const
    {
        return (base.lane[lane] + Word(offset)) & 0xffffffffu;
    }
};

/// A block's shared memory, with who touched each grain of it last.
///
/// Order between warps is kept as vector clocks: a barrier joins the clocks of its warps, a
/// warp-wide synchronisation advances the warp's own. An earlier access is ordered before the
/// present one when the present warp knows a later clock of the earlier one's warp.
class SharedMemory {
public:
    /// Starts a block. `grain`, a power of two, divides the address and width of every aligned access.
    void reset(std::uint32_t bytes, std::uint32_t warps, std::uint32_t grain);

    /// Whether touch() looks for races: else it notes nothing.
    void watch(bool isWatched) { m_isWatched = isWatched; }

    [[nodiscard]] std::uint32_t size() const { return std::uint32_t(m_bytes.size()); }
    [[nodiscard]] std::uint8_t* bytes(std::uint64_t address) { return m_bytes.data() + address; }
    [[nodiscard]] std::uint8_t* flags(std::uint64_t address) { return m_flags.data() + address; }

    /// The same where blocks follow each other that mostly do the same.
    ///
    /// As long as a block's accesses and synchronisations are those of the block before, one by one,
    /// it has no race and reads nothing unwritten if that one did not: nothing is noted then. At the
    /// first difference everything up to there is made up for. `movesData`: the caller still moves
    /// bytes and flags in the meantime.
    void resetAndFollow(
        std::uint32_t bytes, std::uint32_t warps, std::uint32_t grain, bool movesData);
    /// Ends such a block: what was new in it may be followed where shared memory had no hazard.
    void endFollowed(bool hadHazard)
    {
        m_usable = m_usable && !(hadHazard && m_mode == Mode::Recording);
    }
    /// The access that is expected next; null: none is.
    [[nodiscard]] SharedEvent* expected()
    {
        return m_mode == Mode::Following && m_next < m_events.size() ? &m_events[m_next] : nullptr;
    }
    void pass(SharedEvent& event)
    {
        ++event.repeated;
        ++m_next;
    }
    /// From here on this block is looked at as if it were the first.
    void leave();
    /// Adds an access that has just been made, to be followed by later blocks.
    void append(const SharedEvent& event);
    [[nodiscard]] bool isUsable() const { return m_usable; }
    void setUsable(bool usable) { m_usable = usable; }
    /// Events that are followed no longer; the caller takes their counts and clears them.
    [[nodiscard]] std::vector<SharedEvent>& retired() { return m_retired; }
    void retireAll();

    /// Starts one warp-wide access; its lanes are then touched one by one.
    void beginAccess()
    {
        if (m_mode != Mode::Alone) [[unlikely]] {
            leave();
            m_usable = false; // unless it is appended
        }
        ++m_access;
    }
    /// Notes an access of one thread; true where it conflicts with an earlier one, which race() tells.
    [[nodiscard]] bool touch(std::uint32_t thread, std::uint32_t instruction,
        Touch touch, std::uint64_t address, std::uint32_t width);
    [[nodiscard]] const Race& race() const { return m_race; }
    /// True where an earlier lane of the same access wrote the first of these bytes.
    [[nodiscard]] bool writtenByThisAccess(std::uint64_t address) const;

    void syncWarp(std::uint32_t warp);
    void syncAll();
    /// A warp arrives: what it did so far may be joined into `joined`.
    void arrive(std::uint32_t warp, std::array<std::uint32_t, 32>& joined);
    void join(std::uint32_t warp, const std::array<std::uint32_t, 32>& joined);

    std::uint16_t nonlinearAxes = 0; ///< axes that bytes with kByteNonlinear depend on

private:
    /// Readers are kept as the lanes of one warp and one thread of another: enough to find a race
    /// if any.
    struct Cell {
        std::uint32_t writeClock = 0, writeInstruction = kNone, writeAccess = 0;
        std::uint32_t readClock = 0, readInstruction = kNone, readLanes = 0;
        std::uint32_t otherClock = 0, otherInstruction = kNone;
        std::uint16_t writeThread = 0, readWarp = 0, otherThread = 0;
        bool writeAtomic = false;
    };
    [[nodiscard]] bool unordered(
        std::uint32_t clock, std::uint32_t warp, std::uint32_t nowWarp) const
    {
        return clock >= m_known[nowWarp][warp];
    }
    enum class Mode : std::uint8_t { Alone, Recording, Following };
    static constexpr std::size_t kMostEvents = 16384;

    [[nodiscard]] bool isFollowed(SharedEvent::Kind kind, std::uint32_t warp);
    void makeUpFor(const SharedEvent& event);
    void orderAll();
    void orderWarp(std::uint32_t warp);
    void resetBytes(std::uint32_t bytes);
    void resetOrder(std::uint32_t warps, std::uint32_t grain);
    bool read(Cell& cell, std::uint32_t thread, std::uint32_t instruction, Race& race);
    bool write(
        Cell& cell, std::uint32_t thread, std::uint32_t instruction, bool atomic, Race& race);

    std::vector<std::uint8_t> m_bytes, m_flags;
    std::vector<Cell> m_cells;
    std::uint32_t m_grain = 4, m_warps = 0;
    Race m_race; ///< the last one
    std::uint32_t m_access = 0;
    std::array<std::uint32_t, 32> m_clock {}; ///< never reset: cells of earlier blocks stay ordered
    std::array<std::array<std::uint32_t, 32>, 32> m_known {}; ///< [warp][of warp]

    Mode m_mode = Mode::Alone;
    bool m_isWatched = true;
    bool m_usable = false; ///< the events may be followed
    bool m_movesData = true;
    std::vector<SharedEvent> m_events, m_retired;
    std::size_t m_next = 0; ///< event followed next
};

} // namespace coalescope::analysis
