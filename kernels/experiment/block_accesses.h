// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/block_trace.h"
#include "kernels/experiment/l1_lines.h"
#include "kernels/experiment/sector_parts.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coalescope::kernels {

/// True for what asks L1, or the L2 past it, for global data: loads and asynchronous copies.
[[nodiscard]] bool isGlobalLoad(const analysis::TraceStep& step);

/// True for global stores.
[[nodiscard]] bool isGlobalStore(const analysis::TraceStep& step);

/// The distinct sectors of a block's accesses of one kind, in order.
[[nodiscard]] SectorParts distinctSectors(const analysis::BlockTrace& trace, bool (*isWanted)(const analysis::TraceStep&));

/// The global loads and stores of one block by the cache lines they touch, with those of local memory if wanted.
class BlockAccesses {
public:
    /// How the longest warp waits for global loads by its machine code, which may make together what the PTX makes one after the other.
    struct LoadWaits {
        double count = 0; ///< 0: not known
        bool isForEach = false; ///< where it waits for nearly every load, they have turns of their own
        std::span<const std::uint32_t> levels = {}; ///< see analysis::loadLevels()
    };
    /// Of each warp no more than its first `most`.
    explicit BlockAccesses(const analysis::BlockTrace& trace, std::size_t most = ~std::size_t(0)) : BlockAccesses(trace, most, LoadWaits {}) { }
    BlockAccesses(const analysis::BlockTrace& trace, std::size_t most, const LoadWaits& waits);
    [[nodiscard]] static BlockAccesses withLocal(const analysis::BlockTrace& trace, std::size_t most = ~std::size_t(0));

    struct Access {
        std::uint32_t first = 0, count = 0; ///< of its parts
        std::uint32_t instruction = 0;
        std::uint32_t turn = 0; ///< of its warp: loads that nothing separates are made together, and so are stores
        bool isAfterSharedStore = false; ///< which nothing else separates from the access before
        const analysis::WarpAccess* access = nullptr; ///< in the trace
        [[nodiscard]] bool isStore() const { return analysis::isStore(*access); }
        [[nodiscard]] bool isLocal() const { return access->space == analysis::Space::Local; }
    };
    [[nodiscard]] const std::vector<std::vector<Access>>& warps() const { return m_warps; }
    /// Of local memory: as if the block's began at address 0; of what is stored to it, sectors that are filled.
    [[nodiscard]] std::span<const LinePart> parts(const Access& access) const
    {
        return std::span(m_parts).subspan(access.first, access.count);
    }
    [[nodiscard]] std::size_t partCount() const { return m_parts.size(); }
    [[nodiscard]] std::uint32_t turns() const; ///< of the warp that has most
    [[nodiscard]] bool isWhole() const { return m_isWhole; } ///< nothing was left out
    [[nodiscard]] std::uint64_t localLines() const { return m_localLines; } ///< of the block

private:
    BlockAccesses(const analysis::BlockTrace& trace, std::size_t most, std::uint64_t localLinesOfAWarp);
    void read(const analysis::BlockTrace& trace, std::size_t most, std::uint64_t localLinesOfAWarp);
    // Of the warp that has most.
    [[nodiscard]] std::uint32_t mostLoadTurns() const;
    [[nodiscard]] double mostLoads() const;
    template <class Ends> void endTurns(Ends ends);
    void endTurnsAtLevels(std::span<const std::uint32_t> loadLevels);
    /// Of a warp's turns at loads, only so many of each are left; stores stay behind the loads that they were behind.
    static void joinTurns(std::vector<Access>& warp, double share);

    std::vector<std::vector<Access>> m_warps;
    std::vector<LinePart> m_parts;
    bool m_isWhole = true;
    std::uint64_t m_localLines = 0;
};

/// Appends the lines of one access, its addresses moved by `shift` bytes.
void appendLines(
    std::vector<LinePart>& parts, const analysis::WarpAccess& access, std::int64_t shift = 0);

} // namespace coalescope::kernels
