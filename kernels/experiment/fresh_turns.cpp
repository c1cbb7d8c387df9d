// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/fresh_turns.h"

#include "analysis/access/sector_model.h"
#include "kernels/experiment/sector_parts.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace coalescope::kernels {

namespace {

constexpr double kOnItsWay = 0.35; ///< of the time that DRAM takes, for what a neighbouring block has asked for

class FreshTurns {
public:
    using Access = BlockAccesses::Access;

    FreshTurns(const BlockAccesses& accesses, const BlockMoves& moves)
        : m_accesses(accesses)
        , m_moves(moves)
        , m_firstTurns(moves.groups())
    {
        for (const auto& warp : accesses.warps())
            for (const Access& access : warp)
                if (!access.isStore())
                    remember(access);
    }

    [[nodiscard]] double share() const
    {
        std::size_t most = 0;
        double fresh = 0, all = 0;
        for (const auto& warp : m_accesses.warps()) {
            const std::map<std::uint32_t, bool> turns = turnsOf(warp);
            if (turns.size() < most)
                continue;
            if (turns.size() > most)
                fresh = all = 0;
            most = turns.size();
            for (const auto& [turn, asksFirst] : turns) {
                fresh += asksFirst ? 1 : kOnItsWay;
                all += 1;
            }
        }
        return all > 0 ? fresh / all : 1;
    }

private:
    [[nodiscard]] std::size_t groupOf(const Access& access) const { return m_moves.groupOf()[access.instruction]; }

    /// True where `is` holds for any of the sectors.
    template <class Is> [[nodiscard]] bool anySector(const Access& access, Is&& is) const
    {
        for (const LinePart& part : m_accesses.parts(access))
            for (std::uint64_t s = 0; s < kLineSectors; ++s)
                if ((part.sectors >> s & 1) && is(part.line * kLineSectors + s))
                    return true;
        return false;
    }
    void remember(const Access& access)
    {
        auto& firstTurns = m_firstTurns[groupOf(access)];
        (void)anySector(access, [&](std::uint64_t sector) {
            std::uint32_t& turn = firstTurns.try_emplace(sector, access.turn).first->second;
            turn = std::min(turn, access.turn);
            return false;
        });
    }
    /// Whether it is asked for, by the neighbours along some axis, in an earlier turn.
    [[nodiscard]] bool isAskedForBefore(std::uint64_t sector, std::size_t group, std::uint32_t turn) const
    {
        const auto& firstTurns = m_firstTurns[group];
        for (std::size_t axis = 0; axis < m_moves.axes().size(); ++axis) {
            const std::int64_t move = m_moves.move(group, axis) / analysis::kSectorBytes;
            for (const std::uint64_t other : { sector + std::uint64_t(move), sector - std::uint64_t(move) })
                if (const auto found = firstTurns.find(other); found != firstTurns.end() && found->second < turn)
                    return true;
        }
        return false;
    }
    /// A warp's turns at loads, and whether each asks for anything first.
    [[nodiscard]] std::map<std::uint32_t, bool> turnsOf(const std::vector<Access>& warp) const
    {
        std::map<std::uint32_t, bool> turns;
        for (const Access& access : warp) {
            if (access.isStore())
                continue;
            bool& asksFirst = turns[access.turn];
            asksFirst = asksFirst || anySector(access, [&](std::uint64_t sector) {
                return !isAskedForBefore(sector, groupOf(access), access.turn);
            });
        }
        return turns;
    }

    const BlockAccesses& m_accesses;
    const BlockMoves& m_moves;
    std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> m_firstTurns; ///< by group: in which turn a sector is first asked for
};

} // namespace

double freshTurns(const BlockAccesses& accesses, const BlockMoves& moves) { return FreshTurns(accesses, moves).share(); }

} // namespace coalescope::kernels
