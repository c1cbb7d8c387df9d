// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/warp_access.h"

#include <algorithm>
#include <cstdint>
#include <list>
#include <unordered_map>

namespace coalescope::kernels {

/// Sectors of one cache line that an access wants.
struct LinePart {
    std::uint64_t line = 0; ///< its address / 128
    std::uint32_t sectors = 0; ///< bit s: sector s
    bool operator==(const LinePart&) const = default;
};

/// How many sectors of a line are in a mask. std::popcount calls a function where the compiler may
/// not use the processor's instruction.
[[nodiscard]] constexpr int sectorCount(std::uint32_t sectors)
{
    return int(0x4332322132212110ull >> (4 * (sectors & 15)) & 15);
}

/// An L1 that keeps the lines used last, with those of their sectors that were asked for.
class LruLines {
public:
    explicit LruLines(std::size_t lines)
        : m_lines(std::max<std::size_t>(lines, 1))
    {
    }

    /// Sectors of the part that are not there; afterwards they are, unless `use` forbids it.
    int misses(const LinePart& part, analysis::L1Use use)
    {
        using analysis::L1Use;
        if (use == L1Use::Bypassed)
            return sectorCount(part.sectors);
        const auto found = m_where.find(part.line);
        if (found != m_where.end())
            m_order.splice(m_order.begin(), m_order, found->second);
        else if (use == L1Use::NoAllocate)
            return sectorCount(part.sectors);
        else
            bring(part.line);
        std::uint32_t& there = m_order.front().sectors;
        const int missing = sectorCount(part.sectors & ~there);
        if (use != L1Use::NoAllocate)
            there |= part.sectors;
        return missing;
    }

private:
    using Order = std::list<LinePart>;

    void bring(std::uint64_t line)
    {
        if (m_order.size() < m_lines) {
            m_order.push_front({ line, 0 });
            m_where.emplace(line, m_order.begin());
            return;
        }
        // The oldest line's nodes serve again.
        auto node = m_where.extract(m_order.back().line);
        m_order.splice(m_order.begin(), m_order, std::prev(m_order.end()));
        m_order.front() = { line, 0 };
        node.key() = line;
        m_where.insert(std::move(node));
    }

    std::size_t m_lines;
    Order m_order;
    std::unordered_map<std::uint64_t, Order::iterator> m_where;
};

} // namespace coalescope::kernels
