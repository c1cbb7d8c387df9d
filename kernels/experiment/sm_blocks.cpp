// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/sm_blocks.h"

#include "analysis/access/sector_model.h"

#include <algorithm>

namespace coalescope::kernels {

namespace {

constexpr std::int64_t kLineBytes = analysis::kCacheLineBytes;

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
            std::span<const BlockAccesses::Access> left;
        };
        std::vector<Warp> warps;
        for (const SmBlock& block : wave)
            for (const auto& accesses : block.accesses->warps())
                warps.push_back({ &block, accesses });
        for (std::uint32_t turn = 0; !warps.empty(); ++turn) {
            for (Warp& warp : warps) {
                const Counts before = m_counts;
                for (; !warp.left.empty() && warp.left.front().turn == turn; warp.left = warp.left.subspan(1))
                    access(*warp.block, warp.left.front());
                m_counts.turns += m_counts.asked > before.asked;
                m_counts.missingTurns += m_counts.missed > before.missed;
            }
            std::erase_if(warps, [](const Warp& warp) { return warp.left.empty(); });
        }
    }
    struct Counts {
        double asked = 0, missed = 0; ///< sectors; of the sampled lines
        double turns = 0, missingTurns = 0;
    };
    [[nodiscard]] const Counts& counts() const { return m_counts; }

private:
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
            if (!isFollowed(part.line))
                continue;
            if (access.isStore()) {
                m_lines.store(part);
                continue;
            }
            m_counts.asked += sectorCount(part.sectors);
            m_counts.missed += m_lines.load(part, access.access->l1);
        }
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
    const SmL1::Counts& counts = l1.counts();
    const double rest = double(blocks.all - all.size()) / double(all.size() - early);
    // The rest of the SM's blocks is like the later half.
    const auto share = [&](double SmL1::Counts::*some, double SmL1::Counts::*of) {
        const double missed = counts.*some + rest * (counts.*some - before.*some);
        const double asked = counts.*of + rest * (counts.*of - before.*of);
        return asked > 0 ? std::min(1.0, missed / asked) : 1;
    };
    return { share(&SmL1::Counts::missed, &SmL1::Counts::asked), share(&SmL1::Counts::missingTurns, &SmL1::Counts::turns) };
}

} // namespace coalescope::kernels
