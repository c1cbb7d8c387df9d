// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/execute/block_trace.h"
#include "kernels/experiment/lru_lines.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coalescope::kernels {

/// True for what asks L1, or the L2 past it, for global data: loads and asynchronous copies.
[[nodiscard]] bool isGlobalLoad(const analysis::TraceStep& step);

/// True for global stores.
[[nodiscard]] bool isGlobalStore(const analysis::TraceStep& step);

/// The global loads of one block by the cache lines they want.
class BlockLoads {
public:
    /// Of each warp no more than its first `mostLoads`.
    explicit BlockLoads(const analysis::BlockTrace& trace, std::size_t mostLoads = ~std::size_t(0));

    struct Load {
        std::uint32_t first = 0, count = 0; ///< of its parts
        std::uint32_t instruction = 0;
        const analysis::WarpAccess* access = nullptr; ///< in the trace
    };
    [[nodiscard]] const std::vector<std::vector<Load>>& warps() const { return m_warps; }
    [[nodiscard]] std::span<const LinePart> parts(const Load& load) const
    {
        return std::span(m_parts).subspan(load.first, load.count);
    }
    [[nodiscard]] std::size_t partCount() const { return m_parts.size(); }
    [[nodiscard]] std::size_t longestWarp() const { return m_longest; }
    [[nodiscard]] bool isWhole() const { return m_isWhole; } ///< no load was left out

private:
    std::vector<std::vector<Load>> m_warps;
    std::vector<LinePart> m_parts;
    std::size_t m_longest = 0; ///< loads
    bool m_isWhole = true;
};

/// Appends the lines of one access, its addresses moved by `shift` bytes.
void appendLines(
    std::vector<LinePart>& parts, const analysis::WarpAccess& access, std::int64_t shift = 0);

/// Sectors that one block misses in an L1 it has for itself; its warps take turns.
[[nodiscard]] double missesOfOneBlock(const BlockLoads& loads, std::size_t l1Lines);

} // namespace coalescope::kernels
