// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/sm_blocks.h"

#include "analysis/access/sector_model.h"

#include <algorithm>
#include <unordered_map>

namespace coalescope::kernels {

namespace {

constexpr std::int64_t kLineBytes = analysis::kCacheLineBytes;
constexpr std::uint64_t kLocalLine = std::uint64_t(1) << 52; ///< beyond all global memory

class SmL1 {
public:
    SmL1(const SmBlocks& blocks, std::size_t lines, unsigned sampled)
        : m_blocks(blocks)
        , m_lines(lines / sampled)
        , m_sampled(sampled)
    {
    }

    void follow(std::span<const SmBlock> wave)
    {
        struct Warp {
            const SmBlock* block = nullptr;
            std::uint64_t localLine = 0; ///< its block's first
            std::span<const BlockAccesses::Access> left;
        };
        std::vector<Warp> warps;
        std::uint64_t localLine = kLocalLine;
        for (const SmBlock& block : wave) {
            for (const auto& accesses : block.accesses->warps())
                warps.push_back({ &block, localLine, accesses });
            localLine += block.accesses->localLines();
        }
        for (std::uint32_t turn = 0; !warps.empty(); ++turn) {
            for (Warp& warp : warps) {
                const Counts before = m_counts;
                for (; !warp.left.empty() && warp.left.front().turn == turn; warp.left = warp.left.subspan(1)) {
                    const BlockAccesses::Access& next = warp.left.front();
                    if (next.isLocal())
                        accessLocal(*warp.block, next, warp.localLine);
                    else
                        access(*warp.block, next);
                }
                m_counts.global.addTurn(before.global);
                m_counts.local.addTurn(before.local);
            }
            std::erase_if(warps, [](const Warp& warp) { return warp.left.empty(); });
        }
    }
    struct Count {
        double asked = 0, missed = 0; ///< sectors; of the sampled lines
        double turns = 0, missingTurns = 0;
        void addTurn(const Count& before)
        {
            turns += asked > before.asked;
            missingTurns += missed > before.missed;
        }
    };
    struct Counts {
        Count global, local;
    };
    [[nodiscard]] const Counts& counts() const { return m_counts; }
    [[nodiscard]] const std::vector<double>& localSince() const { return m_localSince; }

private:
    void accessLocal(const SmBlock& block, const BlockAccesses::Access& access, std::uint64_t firstLine)
    {
        for (LinePart part : block.accesses->parts(access)) {
            part.line += firstLine;
            if (!isFollowed(part.line))
                continue;
            const double missed = m_counts.local.missed;
            accessPart(part, access, m_counts.local);
            const auto [last, isNew] = m_lastUse.try_emplace(part.line, m_parts);
            if (m_counts.local.missed > missed && !isNew)
                m_localSince.push_back(double(m_parts - last->second) * m_sampled);
            last->second = m_parts;
        }
    }
    void access(const SmBlock& block, const BlockAccesses::Access& access)
    {
        const std::int64_t shift = access.isStore() || block.shifts.empty()
            ? block.shift
            : block.shifts[m_blocks.groupOf[access.instruction]];
        std::span<const LinePart> parts = block.accesses->parts(access);
        std::int64_t lines = shift / kLineBytes;
        if (shift % kLineBytes != 0) {
            m_moved.clear();
            appendLines(m_moved, *access.access, shift);
            parts = m_moved;
            lines = 0;
        }
        for (LinePart part : parts) {
            part.line += std::uint64_t(lines);
            if (isFollowed(part.line))
                accessPart(part, access, m_counts.global);
        }
    }
    void accessPart(const LinePart& part, const BlockAccesses::Access& access, Count& count)
    {
        ++m_parts;
        if (access.isStore()) {
            m_lines.store(part);
            return;
        }
        count.asked += sectorCount(part.sectors);
        count.missed += m_lines.load(part, access.access->l1);
    }
    [[nodiscard]] bool isFollowed(std::uint64_t line) const
    {
        return m_sampled == 1 || (line * 0x9e3779b97f4a7c15ull >> 32) % m_sampled == 0;
    }

    const SmBlocks& m_blocks;
    L1Lines m_lines;
    unsigned m_sampled;
    std::vector<LinePart> m_moved;
    Counts m_counts;
    std::uint64_t m_parts = 0; ///< of lines that were followed
    std::unordered_map<std::uint64_t, std::uint64_t> m_lastUse; ///< of a line of local memory, by then
    std::vector<double> m_localSince;
};

} // namespace

L1Misses l1Misses(const SmBlocks& blocks, std::size_t l1Lines, unsigned sampled)
{
    SmL1 l1(blocks, l1Lines, sampled);
    const std::span<const SmBlock> all(blocks.followed);
    const std::size_t waves = (all.size() + blocks.resident - 1) / blocks.resident;
    const std::size_t early = waves / 2 * blocks.resident; ///< blocks; the L1 fills meanwhile
    SmL1::Counts before;
    for (std::size_t begin = 0; begin < all.size(); begin += blocks.resident) {
        if (begin == early)
            before = l1.counts();
        l1.follow(all.subspan(begin, std::min(blocks.resident, all.size() - begin)));
    }
    const double rest = double(blocks.all - all.size()) / double(all.size() - early);
    // The rest of the SM's blocks is like the later half.
    using Count = SmL1::Count;
    const auto shares = [&](const Count& counts, const Count& earlyCounts) {
        const auto share = [&](double Count::*some, double Count::*of) {
            const double missed = counts.*some + rest * (counts.*some - earlyCounts.*some);
            const double asked = counts.*of + rest * (counts.*of - earlyCounts.*of);
            return asked > 0 ? std::min(1.0, missed / asked) : 1;
        };
        return MissShares { share(&Count::missed, &Count::asked), share(&Count::missingTurns, &Count::turns) };
    };
    const SmL1::Counts& counts = l1.counts();
    return { shares(counts.global, before.global), shares(counts.local, before.local), l1.localSince() };
}

} // namespace coalescope::kernels
