// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/sector_model.h"
#include "kernels/experiment/machine_instruction.h"
#include "kernels/experiment/warp_accesses.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <ranges>
#include <span>
#include <string_view>
#include <vector>

namespace coalescope::kernels {

[[nodiscard]] inline AccessCounts difference(const AccessCounts& a, const AccessCounts& b)
{
    AccessCounts counts {};
    std::ranges::transform(a, b, counts.begin(), std::minus {});
    return counts;
}

[[nodiscard]] inline bool covers(const AccessCounts& all, const AccessCounts& some)
{
    return std::ranges::equal(all, some, std::greater_equal {});
}

/// The memory that generic accesses reach.
struct GenericSpaces {
    analysis::Space load, store; ///< atomics as stores
};

/// A kernel's instructions and what must and can be accessed from each on.
class MachineCode {
    using enum MachineInstruction::Kind;
    using Kinds = std::bitset<kAccessKindCount>;

public:
    MachineCode(std::string_view bytes, int computeMajor, const GenericSpaces& generic, bool locksAreAtomics, bool byWidth)
        : m_byWidth(byWidth)
        , m_before(bytes.size() / kInstructionBytes + 1)
        , m_unpredicatedBefore(m_before.size())
        , m_rest(m_before.size())
        , m_reach(m_before.size())
    {
        for (std::size_t i = 0; i + 1 < m_before.size(); ++i) {
            auto& added = m_instructions.emplace_back(bytes.data() + i * kInstructionBytes, i, computeMajor);
            m_isGeneric = m_isGeneric || added.kind == GenericLoad || added.kind == GenericStore || added.kind == GenericAtomic;
            if (added.kind == GenericLoad)
                added.kind = generic.load == analysis::Space::Shared ? SharedLoad : GlobalLoad;
            else if (added.kind == GenericStore)
                added.kind = generic.store == analysis::Space::Shared ? SharedStore : GlobalStore;
            else if (added.kind == GenericAtomic)
                added.kind = generic.store == analysis::Space::Shared ? SharedAtomic : GlobalAtomic;
            if (added.kind == Call)
                m_calls.push_back(i);
            if (locksAreAtomics && added.kind == Branch)
                passLockOnce(i);
        }
        for (std::size_t i = 0; i < size(); ++i) {
            if (m_instructions[i].lateClocks > 0 && isOfAChain(i))
                m_instructions[i].stallClocks += m_instructions[i].lateClocks;
            m_before[i + 1] = m_before[i];
            m_unpredicatedBefore[i + 1] = m_unpredicatedBefore[i];
            if (m_instructions[i].kind < Counted)
                ++m_before[i + 1][accessKind(i)];
            if (m_instructions[i].kind < Counted && !m_instructions[i].conditional)
                ++m_unpredicatedBefore[i + 1][accessKind(i)];
        }
        for (std::size_t i = m_instructions.size(); i-- > 0;)
            m_rest[i] = restFrom(i);
        for (std::size_t i = 0; i < size(); ++i)
            if (m_instructions[i].kind == Branch && m_instructions[i].target >= 0
                && m_instructions[i].target <= std::int64_t(i))
                m_loops.push_back({ std::size_t(m_instructions[i].target), i });
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = m_instructions.size(); i-- > 0;) {
                const Kinds reach = reachFrom(i);
                changed = changed || reach != m_reach[i];
                m_reach[i] = reach;
            }
        }
    }
    [[nodiscard]] std::size_t size() const { return m_instructions.size(); }
    [[nodiscard]] bool isGeneric() const { return m_isGeneric; } ///< has accesses that name no space
    [[nodiscard]] bool hasLocks() const { return m_hasLocks; } ///< has loops that were taken to be one atomic each
    [[nodiscard]] const MachineInstruction& operator[](std::size_t i) const
    {
        return m_instructions[i];
    }
    /// Of an access or a barrier.
    [[nodiscard]] std::size_t accessKind(std::size_t i) const
    {
        return accessKindOf(m_instructions[i].kind, m_instructions[i].words * int(analysis::kLocalWordBytes), m_byWidth);
    }
    /// The least that any path from here to the end accesses, loops not repeated.
    [[nodiscard]] const AccessCounts& rest(std::size_t i) const { return m_rest[i]; }
    /// Whether a warp that has still to make these accesses can go on from here.
    [[nodiscard]] bool canGoOn(std::size_t i, const AccessCounts& left) const
    {
        Kinds wanted;
        for (const std::size_t kind : kAccessKinds)
            wanted[kind] = left[kind] > 0;
        return covers(left, m_rest[i]) && (wanted & ~m_reach[i]).none();
    }
    /// Whether a warp goes there without what stands between: it has none of those accesses left, or fewer of some kind,
    /// which can be made from there on.
    [[nodiscard]] bool canMakeLater(std::size_t there, const AccessCounts& between, const AccessCounts& left) const
    {
        return std::ranges::all_of(kAccessKinds, [&](std::size_t kind) { return between[kind] == 0 || left[kind] == 0; })
            ? between != AccessCounts {}
            : std::ranges::any_of(kAccessKinds, [&](std::size_t kind) {
                  return left[kind] > 0 && between[kind] > left[kind] && m_reach[there][kind];
              });
    }
    struct Loop {
        std::size_t first = 0, last = 0; ///< the branch back
    };
    /// Whether a loop further on than `from` makes all of this loop's accesses, several turns of it (its accesses: `turn`) at a
    /// time: the rest of an unrolled loop may stand before it. `ahead` tells those of the PTX's loop.
    [[nodiscard]] bool isDoneFaster(const Loop& rest, std::size_t from, const std::function<AccessCounts(std::size_t together)>& ahead) const
    {
        return std::ranges::any_of(kThose, [&](Those those) {
            const AccessCounts turn = between(rest.first, rest.last, those);
            return turn != AccessCounts {} && std::ranges::any_of(m_loops, [&](const Loop& loop) {
                return loop.first >= from && canFollow(loop, rest.last, turn, those) && areWholeTurns(loop, ahead, those);
            });
        });
    }
    /// Whether a forward branch leaves out single turns, in a loop or one after the other, that a loop further on does not need:
    /// what remains is a whole number of that one's turns.
    [[nodiscard]] bool leavesOutTheRest(std::size_t branch, const WarpAccesses& accesses) const
    {
        const auto target = std::size_t(m_instructions[branch].target);
        if (!canGoOn(target, accesses.left()))
            return false;
        const auto ahead = [&](std::size_t together) { return accesses.aheadLikeNext(together); };
        const AccessCounts single = difference(m_rest[branch + 1], m_rest[target]);
        const bool isChain = single != AccessCounts {} && std::ranges::any_of(kThose, [&](Those those) {
            const AccessCounts all = between(branch, target, those);
            return std::ranges::any_of(m_loops, [&](const Loop& loop) {
                return loop.first >= target && difference(between(loop.first, loop.last, those), all) == single
                    && canFollow(loop, target, single, those) && areWholeTurns(loop, ahead, those);
            });
        });
        return isChain || std::ranges::any_of(m_loops, [&](const Loop& loop) {
            return loop.first > branch && loop.last < target && isDoneFaster(loop, target, ahead);
        });
    }
    /// The accesses of a stretch of code: with the predicated ones, which a turn of a loop may leave out, or without.
    enum class Those { All, Unpredicated };
    static constexpr std::array kThose { Those::All, Those::Unpredicated };
    /// What stands between two places.
    [[nodiscard]] AccessCounts between(std::size_t first, std::size_t end, Those those = Those::All) const
    {
        const auto& before = those == Those::All ? m_before : m_unpredicatedBefore;
        return difference(before[end], before[first]);
    }
    /// Whether a forward branch leaves out nothing but a call: the rare case of a division or a root, which takes a function. A loop
    /// of such divisions is more than that.
    [[nodiscard]] bool leavesOutACall(std::size_t branch) const
    {
        const auto target = std::size_t(m_instructions[branch].target);
        const auto call = std::ranges::lower_bound(m_calls, branch);
        const bool hasLoop = std::ranges::any_of(m_loops, [&](const Loop& loop) { return loop.first > branch && loop.last < target; });
        return call != m_calls.end() && *call < target && !hasLoop && between(branch, target) == AccessCounts {};
    }
    /// Whether a function divides, or does other arithmetic: one way through it, without accesses.
    [[nodiscard]] bool isDivision(std::int64_t function) const
    {
        const auto isStep = [](const MachineInstruction& one) { return one.kind == Other; };
        if (function < 0 || function >= std::int64_t(size()))
            return false;
        const auto end = std::ranges::find_if_not(m_instructions.begin() + function, m_instructions.end(), isStep);
        return end != m_instructions.end() && end->kind == Return && !end->conditional;
    }
    /// Whether a forward branch leads to one of two ways to divide: the short one for 64-bit integers that fit 32 bits, past the function
    /// for all others and the branch around the short one.
    [[nodiscard]] bool leadsToShortDivision(std::size_t branch) const
    {
        const auto target = std::size_t(m_instructions[branch].target);
        const MachineInstruction& before = m_instructions[target - 1];
        return before.kind == Branch && !before.conditional && before.target > std::int64_t(target) && leavesOutACall(branch);
    }
    /// By how much the loop between two places counts: the most that it adds to any register.
    [[nodiscard]] std::int64_t stepOf(std::size_t first, std::size_t last) const
    {
        const auto steps = std::span(m_instructions).subspan(first, last - first) | std::views::transform([](const MachineInstruction& one) { return std::abs(one.step); });
        return steps.empty() ? 0 : std::ranges::max(steps);
    }
    [[nodiscard]] bool isForward(std::size_t i) const
    {
        return m_instructions[i].target > std::int64_t(i)
            && m_instructions[i].target < std::int64_t(size());
    }

private:
    /// Whether a product of 64 bits is one of several that follow each other, as where long integers are calculated with; in an address
    /// they stand alone, and the load that waits for it hides the rest.
    [[nodiscard]] bool isOfAChain(std::size_t at) const
    {
        constexpr std::size_t kNear = 5;
        const auto isNext = [&](std::size_t i) { return i < size() && m_instructions[i].lateClocks > 0; };
        const auto near = [&](std::size_t first) { return std::ranges::any_of(std::views::iota(first, first + kNear), isNext); };
        return near(at + 1) || (at >= kNear && near(at - kNear));
    }
    /// A loop of a load from shared memory and a compare and swap that the branch leads back to is an atomic of the PTX.
    void passLockOnce(std::size_t branch)
    {
        constexpr std::int64_t kMostOfALock = 16;
        const std::int64_t first = m_instructions[branch].target;
        if (first < 0 || first > std::int64_t(branch) || std::int64_t(branch) - first > kMostOfALock)
            return;
        const std::span loop = std::span(m_instructions).subspan(std::size_t(first), branch - std::size_t(first));
        const auto isAccess = [](const MachineInstruction& one) { return one.kind < Counted || one.kind == Branch; };
        const auto load = std::ranges::find_if(loop, isAccess);
        const auto swap = load == loop.end() ? load : std::find_if(load + 1, loop.end(), isAccess);
        if (swap == loop.end() || load->kind != SharedLoad || swap->kind != SharedAtomic
            || std::find_if(swap + 1, loop.end(), isAccess) != loop.end())
            return;
        load->kind = Other;
        m_instructions[branch].kind = Other;
        m_hasLocks = true;
    }
    /// Whether a loop makes several of these turns at a time and can be that one, unrolled, of which they are the rest, which
    /// ends at `from`: accesses do not pass barriers.
    [[nodiscard]] bool canFollow(const Loop& loop, std::size_t from, const AccessCounts& turn, Those those) const
    {
        const AccessCounts together = between(loop.first, loop.last, those);
        return (turn[Barrier] > 0 || between(from, loop.first)[Barrier] == 0) && std::ranges::all_of(kAccessKinds, [&](std::size_t kind) {
            return turn[kind] == 0 ? together[kind] == 0 : together[kind] > turn[kind] && together[kind] % turn[kind] == 0;
        });
    }
    [[nodiscard]] bool areWholeTurns(const Loop& loop, const std::function<AccessCounts(std::size_t together)>& ahead, Those those) const
    {
        const AccessCounts together = between(loop.first, loop.last, those), left = ahead(sumOf(between(loop.first, loop.last)));
        return std::ranges::all_of(
            kAccessKinds, [&](std::size_t kind) { return together[kind] == 0 || (left[kind] > 0 && left[kind] % together[kind] == 0); });
    }
    [[nodiscard]] bool ends(std::size_t i) const
    {
        return m_instructions[i].kind == Exit && !m_instructions[i].conditional;
    }
    [[nodiscard]] Kinds reachFrom(std::size_t i) const
    {
        const MachineInstruction& instruction = m_instructions[i];
        if (ends(i))
            return {};
        const bool branches = instruction.kind == Branch && instruction.target >= 0
            && instruction.target < std::int64_t(size());
        Kinds reach = branches && !instruction.conditional ? Kinds {} : m_reach[i + 1];
        if (branches)
            reach |= m_reach[std::size_t(instruction.target)];
        if (instruction.kind < Counted)
            reach.set(accessKind(i));
        return reach;
    }
    [[nodiscard]] AccessCounts restFrom(std::size_t i) const
    {
        const MachineInstruction& instruction = m_instructions[i];
        AccessCounts rest = m_rest[i + 1];
        if (instruction.kind == Exit)
            return {};
        if (instruction.kind == Branch && isForward(i)) {
            const AccessCounts& other = m_rest[std::size_t(instruction.target)];
            if (!instruction.conditional)
                return other;
            std::ranges::transform(
                rest, other, rest.begin(), [](auto a, auto b) { return std::min(a, b); });
        }
        if (instruction.kind < Counted && !instruction.conditional)
            ++rest[accessKind(i)];
        return rest;
    }

    std::vector<MachineInstruction> m_instructions;
    std::vector<std::size_t> m_calls;
    bool m_byWidth, m_isGeneric = false, m_hasLocks = false;
    std::vector<AccessCounts> m_before, m_unpredicatedBefore; ///< accesses of all instructions before each; without the predicated ones
    std::vector<AccessCounts> m_rest;
    std::vector<Kinds> m_reach;
    std::vector<Loop> m_loops;
};

} // namespace coalescope::kernels
