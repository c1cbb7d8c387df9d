// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/sm_blocks.h"

#include "analysis/access/sector_model.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace coalescope::kernels {

namespace {

constexpr std::int64_t kLineBytes = analysis::kCacheLineBytes;
constexpr double kMoreOften = 16; ///< than a block's average line: such lines stay in L1, and are no sample of the others
constexpr double kFewOften = 1.0 / 16; ///< of L1, where they stay
constexpr std::uint64_t kLocalLine = std::uint64_t(1) << 52; ///< beyond all global memory

class SmL1 {
public:
    SmL1(const SmBlocks& blocks, std::size_t lines, unsigned sampled)
        : m_blocks(blocks)
        , m_lines(lines / sampled)
        , m_sampled(sampled)
    {
        m_early.ofGroups.resize(blocks.followed.empty() ? 0 : blocks.followed.front().shifts.size());
        m_late.ofGroups = m_early.ofGroups;
        if (sampled > 1 && !blocks.followed.empty())
            findOften(lines);
    }

    /// Each block starts when one before it is done. What the first `earlyBlocks` ask for is counted apart.
    void follow(std::size_t earlyBlocks)
    {
        std::vector<Running> running;
        std::size_t started = 0;
        const std::span<const SmBlock> all(m_blocks.followed);
        while (started < all.size() || !running.empty()) {
            if (running.empty() && m_blocks.eachWaveAlone)
                m_lines.clear();
            if (running.empty() || !m_blocks.eachWaveAlone) {
                for (; started < all.size() && running.size() < m_blocks.resident; ++started)
                    running.emplace_back(all[started], placeOf(running), startOf(started), started < earlyBlocks ? m_early : m_late);
            }
            ++m_step;
            for (Running& block : running) {
                if (block.turn >= 0)
                    turn(block);
                ++block.turn;
            }
            std::erase_if(running, [](const Running& block) { return block.warps.empty(); });
        }
    }
    struct Count {
        double asked = 0, missed = 0; ///< sectors; of the sampled lines
        double onItsWay = 0; ///< of those not missed, what was fetched in the same turn
        double turns = 0, missingTurns = 0;
        [[nodiscard]] bool asksSince(const Count& before) const { return asked > before.asked; }
        [[nodiscard]] bool missesSince(const Count& before) const { return missed + onItsWay > before.missed + before.onItsWay; }
    };
    struct Counts {
        Count global, local;
        std::vector<Count> ofGroups;
        std::vector<Count> ofInstructions; ///< global loads; missed: what is on its way, too
        [[nodiscard]] Count ofInstruction(std::size_t i) const { return i < ofInstructions.size() ? ofInstructions[i] : Count {}; }
    };
    [[nodiscard]] const Counts& early() const { return m_early; }
    [[nodiscard]] const Counts& late() const { return m_late; }
    [[nodiscard]] const std::vector<double>& localSince() const { return m_localSince; }

private:
    struct Running {
        Running(const SmBlock& block, std::size_t place, std::int64_t turn, Counts& counts)
            : block(&block)
            , counts(&counts)
            , place(place)
            , localLine(kLocalLine + place * block.accesses->localLines())
            , turn(turn)
        {
            for (const auto& accesses : block.accesses->warps())
                warps.push_back({ .left = accesses });
        }
        struct Warp {
            std::span<const BlockAccesses::Access> left;
            double turns = 0, missingTurns = 0; ///< at global memory
        };
        void leave(const Warp& warp)
        {
            turns += warp.turns;
            longest = std::max(longest, warp.turns);
            slowest = std::max(slowest, warp.missingTurns);
        }
        /// The block waits for the warp that waits most.
        void countTurns()
        {
            counts->global.turns += turns;
            if (longest > 0)
                counts->global.missingTurns += slowest / longest * turns;
        }
        double turns = 0, longest = 0, slowest = 0; ///< of the warps that have left: all, of the longest one, those of the slowest one that miss something
        const SmBlock* block;
        Counts* counts;
        std::size_t place; ///< on the SM: the one that the next block there gets has the same local memory
        std::uint64_t localLine; ///< its first
        std::vector<Warp> warps;
        std::int64_t turn; ///< below 0: not begun
    };
    /// The turn at which the SM's i-th block is when its wave's first one begins: the first wave's are apart, as those of each wave that is
    /// followed alone; the others begin when one has left.
    [[nodiscard]] std::int64_t startOf(std::size_t i) const
    {
        if (i >= m_blocks.resident && !m_blocks.eachWaveAlone)
            return 0;
        const double turns = double(m_blocks.followed[i].accesses->turns());
        return -std::int64_t(m_blocks.apart * turns * double(i % m_blocks.resident) / double(m_blocks.resident));
    }
    /// The first that nobody has.
    [[nodiscard]] static std::size_t placeOf(const std::vector<Running>& running)
    {
        std::size_t place = 0;
        while (std::ranges::find(running, place, &Running::place) != running.end())
            ++place;
        return place;
    }
    void turn(Running& running)
    {
        for (auto& warp : running.warps) {
            auto& left = warp.left;
            const Count global = running.counts->global, local = running.counts->local;
            for (; !left.empty() && std::int64_t(left.front().turn) == running.turn; left = left.subspan(1)) {
                if (left.front().isLocal())
                    accessLocal(running, left.front());
                else
                    access(running, left.front());
            }
            warp.turns += running.counts->global.asksSince(global);
            warp.missingTurns += running.counts->global.missesSince(global);
            running.counts->local.turns += running.counts->local.asksSince(local);
            running.counts->local.missingTurns += running.counts->local.missesSince(local);
            if (left.empty())
                running.leave(warp);
        }
        std::erase_if(running.warps, [](const auto& warp) { return warp.left.empty(); });
        if (running.warps.empty())
            running.countTurns();
    }
    void accessLocal(const Running& running, const BlockAccesses::Access& access)
    {
        Count& count = running.counts->local;
        for (LinePart part : running.block->accesses->parts(access)) {
            part.line += running.localLine;
            if (!isFollowed(part.line))
                continue;
            const double missed = count.missed;
            accessPart(part, access, count);
            const auto [last, isNew] = m_lastUse.try_emplace(part.line, m_parts);
            if (count.missed > missed && !isNew)
                m_localSince.push_back(double(m_parts - last->second) * m_sampled);
            last->second = m_parts;
        }
    }
    void access(const Running& running, const BlockAccesses::Access& access)
    {
        const SmBlock& block = *running.block;
        const bool isOfGroup = !access.isStore() && !block.shifts.empty();
        const std::uint32_t group = isOfGroup ? m_blocks.groupOf[access.instruction] : 0;
        const std::int64_t shift = isOfGroup ? block.shifts[group] : block.shift;
        std::span<const LinePart> parts = block.accesses->parts(access);
        std::int64_t lines = shift / kLineBytes;
        if (shift % kLineBytes != 0) {
            m_moved.clear();
            appendLines(m_moved, *access.access, shift);
            parts = m_moved;
            lines = 0;
        }
        Count& count = running.counts->global;
        const Count before = count;
        for (LinePart part : parts) {
            const bool isOften = m_often.contains(part.line);
            part.line += std::uint64_t(lines);
            if (isOften)
                accessOften(part, count);
            else if (isFollowed(part.line))
                accessPart(part, access, count);
        }
        if (access.isStore())
            return;
        if (isOfGroup) {
            running.counts->ofGroups[group].asked += count.asked - before.asked;
            running.counts->ofGroups[group].missed += count.missed - before.missed;
        }
        if (m_sampled == 1) // whole turns are counted
            return;
        std::vector<Count>& ofInstructions = running.counts->ofInstructions;
        if (access.instruction >= ofInstructions.size())
            ofInstructions.resize(access.instruction + 1);
        Count& own = ofInstructions[access.instruction];
        own.asked += count.asked - before.asked;
        own.missed += count.missed + count.onItsWay - before.missed - before.onItsWay;
    }
    void accessPart(const LinePart& part, const BlockAccesses::Access& access, Count& count)
    {
        ++m_parts;
        if (access.isStore()) {
            m_lines.store(part);
            return;
        }
        const int missed = m_lines.load(part, access.access->l1);
        count.asked += sectorCount(part.sectors);
        count.missed += missed;
        if (missed > 0)
            m_fetchedAt[part.line] = m_step;
        else if (const auto fetched = m_fetchedAt.find(part.line); fetched != m_fetchedAt.end() && fetched->second == m_step)
            count.onItsWay += sectorCount(part.sectors);
    }
    /// Found in L1 but for the first time; counted as one of so many lines as are followed one of.
    void accessOften(const LinePart& part, Count& count)
    {
        const double sectors = double(sectorCount(part.sectors)) / m_sampled;
        count.asked += sectors;
        count.missed += m_oftenSeen.insert(part.line).second ? sectors : 0;
    }
    /// Of the first block's lines that are only loaded, through L1, those asked for most often, where they are few.
    void findOften(std::size_t l1Lines)
    {
        struct Use {
            double loads = 0;
            bool isOther = false;
        };
        std::unordered_map<std::uint64_t, Use> uses;
        double loads = 0;
        const BlockAccesses& accesses = *m_blocks.followed.front().accesses;
        for (const auto& warp : accesses.warps())
            for (const BlockAccesses::Access& access : warp) {
                if (access.isLocal())
                    continue;
                for (const LinePart& part : accesses.parts(access)) {
                    Use& use = uses[part.line];
                    use.loads += 1;
                    use.isOther = use.isOther || access.isStore() || access.access->l1 != analysis::L1Use::Cached;
                    loads += 1;
                }
            }
        for (const auto& [line, use] : uses)
            if (!use.isOther && use.loads * double(uses.size()) > kMoreOften * loads)
                m_often.insert(line);
        if (double(m_often.size() * m_blocks.resident) > kFewOften * double(l1Lines))
            m_often.clear();
    }
    [[nodiscard]] bool isFollowed(std::uint64_t line) const
    {
        return m_sampled == 1 || (line * 0x9e3779b97f4a7c15ull >> 32) % m_sampled == 0;
    }

    const SmBlocks& m_blocks;
    L1Lines m_lines;
    unsigned m_sampled;
    std::unordered_set<std::uint64_t> m_often, m_oftenSeen; ///< lines of the first block; of the SM
    std::vector<LinePart> m_moved;
    Counts m_early, m_late;
    std::uint64_t m_parts = 0; ///< of lines that were followed
    std::uint64_t m_step = 0; ///< turns of all that ran
    std::unordered_map<std::uint64_t, std::uint64_t> m_fetchedAt; ///< step at which a line was fetched last
    std::unordered_map<std::uint64_t, std::uint64_t> m_lastUse; ///< of a line of local memory, by then
    std::vector<double> m_localSince;
};

/// Share of the turns of a block's warps in which they wait; where several instructions load in one, as often as for the one that
/// is waited for most often.
template <class WaitsOf> double waitingTurns(const BlockAccesses& accesses, const WaitsOf& waitsOf)
{
    double turns = 0, waiting = 0;
    std::unordered_map<std::uint32_t, double> known;
    for (const auto& warp : accesses.warps()) {
        for (std::span<const BlockAccesses::Access> left(warp); !left.empty();) {
            const std::uint32_t turn = left.front().turn;
            double most = -1;
            for (; !left.empty() && left.front().turn == turn; left = left.subspan(1)) {
                const BlockAccesses::Access& access = left.front();
                if (access.isStore() || access.isLocal())
                    continue;
                const auto [share, isNew] = known.try_emplace(access.instruction);
                if (isNew)
                    share->second = waitsOf(access.instruction);
                most = std::max(most, share->second);
            }
            turns += most >= 0;
            waiting += std::max(0.0, most);
        }
    }
    return turns > 0 ? waiting / turns : 1;
}

} // namespace

L1Misses l1Misses(const SmBlocks& blocks, std::size_t l1Lines, unsigned sampled)
{
    SmL1 l1(blocks, l1Lines, sampled);
    const std::size_t count = blocks.followed.size();
    const std::size_t waves = (count + blocks.resident - 1) / blocks.resident;
    const std::size_t earlyBlocks = waves / 2 * blocks.resident; ///< the L1 fills meanwhile
    l1.follow(earlyBlocks);
    // The rest of the SM's blocks is like the later half.
    const double like = 1 + double(blocks.all - count) / double(count - earlyBlocks);
    using Count = SmL1::Count;
    const auto shares = [&](const Count& early, const Count& late) {
        const auto share = [&](double Count::*some, double Count::*of) {
            const double asked = early.*of + like * (late.*of);
            return asked > 0 ? std::min(1.0, (early.*some + like * (late.*some)) / asked) : 1;
        };
        return MissShares { share(&Count::missed, &Count::asked), share(&Count::missingTurns, &Count::turns) };
    };
    std::vector<double> ofGroups;
    for (std::size_t group = 0; group < l1.early().ofGroups.size(); ++group)
        ofGroups.push_back(shares(l1.early().ofGroups[group], l1.late().ofGroups[group]).sectors);
    MissShares global = shares(l1.early().global, l1.late().global);
    if (sampled > 1)
        global.turns = waitingTurns(*blocks.followed.front().accesses, [&](std::size_t instruction) {
            const Count early = l1.early().ofInstruction(instruction), late = l1.late().ofInstruction(instruction);
            return early.asked + late.asked > 0 ? shares(early, late).sectors : global.sectors;
        });
    return { global, shares(l1.early().local, l1.late().local), std::move(ofGroups), l1.localSince() };
}

} // namespace coalescope::kernels
