// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/local_memory.h"
#include "analysis/program/program.h"

#include <array>
#include <optional>
#include <span>

namespace coalescope::analysis {

/// Two accesses of one shared byte that nothing orders.
struct Race {
    std::uint32_t otherInstruction = kNone; ///< the earlier access
    std::uint32_t otherThread = 0;
    bool otherWrites = false;
};

enum class Touch : std::uint8_t { Read, Write, Atomic };

/// A block's shared memory, with who touched each grain of it last.
///
/// Order between warps is kept as vector clocks: a barrier joins the clocks of its warps, a
/// warp-wide synchronisation advances the warp's own. An earlier access is ordered before the
/// present one when the present warp knows a later clock of the earlier one's warp.
class SharedMemory {
public:
    /// Starts a block. `grain` divides the address and width of every aligned access.
    void reset(std::uint32_t bytes, std::uint32_t warps, std::uint32_t grain);

    [[nodiscard]] std::uint32_t size() const { return std::uint32_t(m_bytes.size()); }
    [[nodiscard]] std::uint8_t* bytes(std::uint64_t address) { return m_bytes.data() + address; }
    [[nodiscard]] std::uint8_t* flags(std::uint64_t address) { return m_flags.data() + address; }

    /// Starts one warp-wide access; its lanes are then touched one by one.
    void beginAccess() { ++m_access; }
    /// Notes an access of one thread; returns a conflict with an earlier one.
    [[nodiscard]] std::optional<Race> touch(std::uint32_t thread, std::uint32_t instruction,
        Touch touch, std::uint64_t address, std::uint32_t width);
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
    std::optional<Race> read(Cell& cell, std::uint32_t thread, std::uint32_t instruction);
    std::optional<Race> write(
        Cell& cell, std::uint32_t thread, std::uint32_t instruction, bool atomic);

    std::vector<std::uint8_t> m_bytes, m_flags;
    std::vector<Cell> m_cells;
    std::uint32_t m_grain = 4, m_warps = 0;
    std::uint32_t m_access = 0;
    std::array<std::uint32_t, 32> m_clock {}; ///< never reset: cells of earlier blocks stay ordered
    std::array<std::array<std::uint32_t, 32>, 32> m_known {}; ///< [warp][of warp]
};

} // namespace coalescope::analysis
