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
                for (; !warp.left.empty() && warp.left.front().turn == turn; warp.left = warp.left.subspan(1))
                    access(*warp.block, warp.left.front());
            }
            std::erase_if(warps, [](const Warp& warp) { return warp.left.empty(); });
        }
    }
    [[nodiscard]] double asked() const { return m_asked; }
    [[nodiscard]] double missed() const { return m_missed * m_sampled; }

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
            if (!access.isStore())
                m_asked += sectorCount(part.sectors);
            if (!isFollowed(part.line))
                continue;
            if (access.isStore())
                m_lines.store(part);
            else
                m_missed += m_lines.load(part, access.access->l1);
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
    double m_asked = 0, m_missed = 0;
};

} // namespace

double l1ReadShare(const SmBlocks& blocks, std::size_t l1Lines, unsigned sampled)
{
    SmL1 l1(blocks, l1Lines, sampled);
    const std::span<const SmBlock> all(blocks.followed);
    const std::size_t waves = (all.size() + blocks.resident - 1) / blocks.resident;
    const std::size_t early = waves / 2 * blocks.resident; ///< blocks; the L1 fills meanwhile
    double earlyMissed = 0;
    for (std::size_t begin = 0; begin < all.size(); begin += blocks.resident) {
        if (begin == early)
            earlyMissed = l1.missed();
        l1.follow(all.subspan(begin, std::min(blocks.resident, all.size() - begin)));
    }
    if (l1.asked() == 0)
        return 1;
    const double rest = double(blocks.all - all.size());
    const double missed
        = l1.missed() + rest * (l1.missed() - earlyMissed) / double(all.size() - early);
    return std::min(1.0, missed / (l1.asked() * double(blocks.all) / double(all.size())));
}

} // namespace coalescope::kernels
