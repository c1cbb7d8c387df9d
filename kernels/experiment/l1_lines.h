// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/warp_access.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

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

/// An L1 of so many lines, with those of their sectors that were asked for. A line's address chooses its set: neighbours
/// lie in different ones. A new line takes the place of the one used longest ago among those that were used but once;
/// lines used again are kept, up to five eighths of a set, beyond which the one used longest ago counts as new. Stores take
/// lines as loads do, and what they write is there.
///
/// Source:  what an H200 (driver 580.159.04, 2026-11-22) fetches again in 118 launches whose blocks read their data two to
/// four times, and nothing of what its blocks have just written: docs/models.md. Lines kept by last use alone would be
/// found twice too often.
/// Checked: l1_lines_test.cpp, by hand, and repeated_reads_test.cpp, against h200_read_again.csv.
class L1Lines {
public:
    explicit L1Lines(std::size_t lines)
        : m_ways(std::clamp<std::size_t>(lines, 1, kWays))
        , m_sets(std::max<std::size_t>(1, lines / kWays))
    {
    }

    void clear() { std::ranges::fill(m_sets, Set {}); }
    /// Sectors of the part that are not there; afterwards they are, unless `use` forbids it.
    int load(const LinePart& part, analysis::L1Use use)
    {
        using analysis::L1Use;
        if (use == L1Use::Emptied)
            clear();
        if (use >= L1Use::Bypassed)
            return sectorCount(part.sectors);
        Line* line = find(part.line);
        if (!line && use == L1Use::NoAllocate)
            return sectorCount(part.sectors);
        if (!line)
            line = &bring(part.line);
        const int missing = sectorCount(part.sectors & ~line->sectors);
        if (use != L1Use::NoAllocate)
            line->sectors |= part.sectors;
        return missing;
    }
    /// All sectors go on to the L2, and are there.
    void store(const LinePart& part)
    {
        Line* line = find(part.line);
        (line ? line : &bring(part.line))->sectors |= part.sectors;
    }

private:
    static constexpr std::size_t kWays = 8, kKept = 5;

    struct Line {
        std::uint64_t line = 0, used = 0; ///< used at; 0: free
        std::uint32_t sectors = 0;
        bool kept = false;
    };
    struct Set {
        std::array<Line, kWays> lines;
    };

    [[nodiscard]] Set& setOf(std::uint64_t line)
    {
        std::uint64_t row = line / m_sets.size() * 0x9e3779b97f4a7c15ull;
        row = (row ^ row >> 29) * 0xbf58476d1ce4e5b9ull;
        return m_sets[(line + (row >> 32)) % m_sets.size()];
    }
    /// Null where it is not there; else it has been used again.
    Line* find(std::uint64_t wanted)
    {
        Set& set = setOf(wanted);
        for (std::size_t way = 0; way < m_ways; ++way) {
            Line& line = set.lines[way];
            if (line.used == 0 || line.line != wanted)
                continue;
            line.used = ++m_now;
            if (!line.kept) {
                line.kept = true;
                keepNoMore(set);
            }
            return &line;
        }
        return nullptr;
    }
    void keepNoMore(Set& set)
    {
        Line* oldest = nullptr;
        std::size_t kept = 0;
        for (Line& line : set.lines) {
            if (!line.kept)
                continue;
            ++kept;
            if (!oldest || line.used < oldest->used)
                oldest = &line;
        }
        if (kept > kKept) {
            oldest->kept = false;
            oldest->used = ++m_now;
        }
    }
    Line& bring(std::uint64_t wanted)
    {
        Set& set = setOf(wanted);
        Line* victim = nullptr;
        for (std::size_t way = 0; way < m_ways; ++way) {
            Line& line = set.lines[way];
            if (!victim || std::pair(line.kept, line.used) < std::pair(victim->kept, victim->used))
                victim = &line;
        }
        *victim = { .line = wanted, .used = ++m_now };
        return *victim;
    }

    std::size_t m_ways;
    std::vector<Set> m_sets;
    std::uint64_t m_now = 0;
};

} // namespace coalescope::kernels
