// SPDX-License-Identifier: Apache-2.0
#include "kernels/experiment/machine_path.h"

#include "analysis/access/sector_model.h"
#include "kernels/experiment/machine_code.h"
#include "kernels/experiment/register_banks.h"
#include "kernels/experiment/warp_accesses.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace coalescope::kernels {

namespace {

using analysis::MachineWork;
using Kind = MachineInstruction::Kind;
using enum MachineInstruction::Kind;
using analysis::Space;

constexpr std::size_t kMostSteps = 1'000'000; ///< of a path
constexpr std::size_t kMostSearched = 2'000'000; ///< steps for a path: up to 50 ms

/// Counts what a warp issues and waits for along its path.
class Clock {
public:
    void issue(const MachineInstruction& instruction)
    {
        pass(waitFor(instruction.waits));
        if ((instruction.kind == AsyncWait || instruction.kind == PhaseCheck) && std::exchange(m_copies, false)) {
            m_lastGlobal = m_issued;
            m_path.work.loadWaits += 1;
        }
        m_copies = m_copies || instruction.kind == AsyncCopy || instruction.kind == BulkCopy;
        if (instruction.kind == GlobalLoad || instruction.kind == AsyncCopy || instruction.kind == BulkCopy)
            m_storing = false;
        else if (instruction.kind == GlobalStore || instruction.kind == SharedLoad || instruction.isLocal())
            m_storing = true;
        (m_storing ? m_path.work.storeInstructions : m_path.work.loadInstructions) += 1;
        (m_storing ? m_path.work.storeClocks : m_path.work.loadClocks) += instruction.stallClocks;
        noteStore(instruction);
        if (instruction.pipe)
            m_path.work.*instruction.pipe += instruction.pipeCount;
        m_registers.issue(instruction);
        m_accesses += instruction.isAccess();
        m_path.work.issueClocks = std::midpoint(m_registers.clocks(), m_registers.mixedClocks()) + m_accesses;
        if (instruction.isLocal())
            m_path.local.push_back({ instruction.kind == LocalStore, std::uint8_t(instruction.words), instruction.offset });
        m_path.constantLoads += instruction.kind == ConstantLoad;
        ++m_issued;
        for (const unsigned barrier : { instruction.releases, instruction.frees })
            if (barrier < m_pending.size() && !isSlower(m_pending[barrier], instruction.kind)) {
                const bool isResult = barrier == instruction.releases;
                m_pending[barrier] = { isResult ? instruction.kind : Other, m_issued, isResult ? resultClocks(instruction) : 0, m_clock };
            }
        m_clock += instruction.stallClocks;
    }
    /// The warp goes on so many clocks later than the control bits say.
    void pass(double clocks)
    {
        (m_storing ? m_path.work.storeClocks : m_path.work.loadClocks) += clocks;
        m_clock += clocks;
        if (m_sinceStore)
            *m_sinceStore += clocks;
    }
    [[nodiscard]] const MachinePath& path() const { return m_path; }

private:
    static constexpr double kVaryingClocks = 20; ///< that a function's result takes, beside what its instruction keeps the warp

    struct Pending {
        Kind kind = Other;
        std::size_t since = 0; ///< 0: nothing
        double resultClocks = 0, issuedAt = 0; ///< as of MachineInstruction; of the clock
    };

    /// How long after the store before it another one comes.
    void noteStore(const MachineInstruction& instruction)
    {
        if (instruction.kind == GlobalStore && m_sinceStore) {
            m_path.work.storesInTurn += 1;
            m_path.work.storeGapClocks += *m_sinceStore;
        }
        if (instruction.kind == GlobalStore)
            m_sinceStore = instruction.stallClocks;
        else if (instruction.kind < Counted)
            m_sinceStore.reset();
        else if (m_sinceStore)
            *m_sinceStore += instruction.stallClocks;
    }

    /// Whether what a barrier waits for already comes later than what an instruction adds.
    [[nodiscard]] bool isSlower(const Pending& pending, Kind added) const
    {
        const auto isGlobal = [](Kind kind) { return kind == GlobalLoad || kind == GlobalAtomic; };
        return pending.since > m_lastGlobal && isGlobal(pending.kind) && !isGlobal(added);
    }
    /// Of constants before a warp's first access a block's lead has what they take.
    [[nodiscard]] double resultClocks(const MachineInstruction& instruction) const
    {
        return instruction.kind == FixedConstantLoad && m_accesses == 0 ? 0 : instruction.resultClocks;
    }
    /// The clocks until those results are there whose time is known.
    double waitFor(unsigned barriers)
    {
        double clocks = 0;
        for (unsigned i = 0; i < m_pending.size(); ++i) {
            if ((barriers >> i & 1) == 0)
                continue;
            const Pending pending = std::exchange(m_pending[i], {});
            if (pending.since <= m_lastGlobal)
                continue; // has come meanwhile
            if (pending.kind == GlobalLoad || pending.kind == GlobalAtomic) {
                m_lastGlobal = m_issued;
                (pending.kind == GlobalLoad ? m_path.work.loadWaits : m_path.work.atomicWaits) += 1;
            } else if (pending.since <= m_lastShared) {
                continue;
            } else if (pending.kind == SharedLoad || pending.kind == SharedAtomic) {
                m_lastShared = m_issued;
                m_path.work.sharedWaits += 1;
            } else if (pending.kind == LocalLoad) {
                m_lastShared = m_issued;
                m_path.work.localWaits += 1;
            } else if (pending.kind == ConstantLoad) {
                m_path.constantWaits += pending.since > std::exchange(m_lastConstant, std::max(m_lastConstant, m_issued));
            } else if (pending.kind == Shuffle) {
                (m_storing ? m_path.work.storeShuffleWaits : m_path.work.loadShuffleWaits) += 1;
            } else if (pending.resultClocks > 0) {
                clocks = std::max(clocks, pending.issuedAt + pending.resultClocks - m_clock);
            } else {
                (m_storing ? m_path.work.storeOtherWaits : m_path.work.loadOtherWaits) += 1;
                if (m_sinceStore && pending.kind == Other)
                    *m_sinceStore += kVaryingClocks;
            }
        }
        return clocks;
    }

    MachinePath m_path;
    std::array<Pending, 6> m_pending;
    std::size_t m_issued = 0, m_lastGlobal = 0,
                m_lastShared = 0, m_lastConstant = 0; ///< instructions before the last wait
    std::optional<double> m_sinceStore; ///< clocks; nothing: something else of memory came since
    double m_clock = 0; ///< of the path, waits for memory and other warps left out
    bool m_storing = false;
    bool m_copies = false; ///< not yet waited for
    RegisterBanks m_registers;
    double m_accesses = 0;
};

/// Whether a warp takes a conditional branch. `lastTurn`: accesses since it was last where a branch back leads.
bool takes(const MachineCode& code, std::size_t at, const WarpAccesses& accesses, std::size_t lastTurn)
{
    const auto target = std::size_t(code[at].target);
    const AccessCounts& left = accesses.left();
    if (code.isForward(at)) {
        if (!code.canGoOn(at + 1, left) || code.leavesOutTheRest(at, accesses) || code.leavesOutACall(at))
            return true;
        if (!code.canGoOn(target, left))
            return false;
        // The rest of an unrolled loop, where something else comes next; turns of predicated accesses, more of them than
        // are left.
        const AccessCounts leftOut = difference(code.rest(at + 1), code.rest(target));
        return !accesses.areNext(leftOut, sumOf(code.between(at + 1, target))) || code.canMakeLater(target, code.between(at + 1, target), left);
    }
    const AccessCounts turn = code.between(target, at);
    const auto hasLeft = [&](std::size_t kind) { return turn[kind] > 0 && left[kind] > 0; };
    if (std::ranges::none_of(kAccessKinds, hasLeft))
        return false; // a loop inside of it has made them all
    const AccessCounts must = difference(code.rest(target), code.rest(at + 1));
    const std::size_t accessesOfATurn = std::max(sumOf(turn), lastTurn); // with loops inside of it, more than its code has
    if (turn[Barrier] == 0 && !accesses.areBeforeBarrier(must))
        return false;
    return code.canGoOn(target, left) && left != code.rest(at + 1) && accesses.makesNext(turn) && accesses.areNext(must, accessesOfATurn)
        && accesses.goOnAlike(must, accessesOfATurn)
        && !code.isDoneFaster({ target, at }, at + 1, [&](std::size_t together) { return accesses.aheadLikeLast(sumOf(turn), together); });
}

/// How often a warp turns in loops that make no accesses, by the order in which it enters them first. ptxas may have unrolled one: then a
/// loop that counts further each turn makes several turns at once, and the next one the rest of them.
class FreeLoops {
public:
    explicit FreeLoops(const ProgramLoops& program)
    {
        std::map<std::uint32_t, std::size_t> loops;
        for (const analysis::LoopTurns& entered : program.turns) {
            const auto [loop, isNew] = loops.try_emplace(entered.instruction, m_loops.size());
            if (isNew) {
                const auto step = program.steps.find(entered.instruction);
                m_loops.push_back({ .step = step == program.steps.end() ? 0 : step->second, .turns = {} });
            }
            m_loops[loop->second].turns.push_back(entered.count);
        }
    }
    /// Whether a warp turns once more at a branch back of the machine code, whose loop counts by `step`.
    [[nodiscard]] bool turnsAt(std::size_t branch, std::int64_t step)
    {
        const auto [found, isNew] = m_at.try_emplace(branch);
        At& at = found->second;
        if (isNew)
            at = loopOf(step);
        if (at.turned < jumps(at)) {
            ++at.turned;
            return true;
        }
        at.turned = 0;
        ++at.entered;
        return false;
    }

private:
    struct Loop {
        std::int64_t step = 0;
        std::vector<std::uint32_t> turns; ///< [time it is entered]
    };
    struct At {
        std::size_t loop = 0, entered = 0;
        std::uint32_t together = 1; ///< turns of the program's loop that are one
        bool isRest = false; ///< of those
        std::uint32_t turned = 0;
    };
    [[nodiscard]] At loopOf(std::int64_t step)
    {
        if (const std::uint32_t together = std::exchange(m_together, 1); together > 1 && step == m_loops[m_next - 1].step)
            return { .loop = m_next - 1, .together = together, .isRest = true };
        const std::int64_t own = m_next < m_loops.size() ? m_loops[m_next].step : 0;
        const std::int64_t times = own != 0 && step % own == 0 ? step / own : 1;
        m_together = times > 1 && times <= kMostTogether ? std::uint32_t(times) : 1;
        return { .loop = m_next++, .together = m_together };
    }
    [[nodiscard]] std::uint32_t jumps(const At& at) const
    {
        if (at.loop >= m_loops.size() || at.entered >= m_loops[at.loop].turns.size())
            return 0;
        const std::uint32_t turns = m_loops[at.loop].turns[at.entered] + 1; // it jumps back once less
        return std::max(1u, at.isRest ? turns % at.together : turns / at.together) - 1;
    }

    static constexpr std::int64_t kMostTogether = 64;

    std::vector<Loop> m_loops; ///< of the program
    std::size_t m_next = 0; ///< of them, the next that is met
    std::uint32_t m_together = 1; ///< of the one that was met last
    std::map<std::size_t, At> m_at; ///< a branch back
};

/// Forward branches that are taken, or not, whenever a warp comes there.
using Decisions = std::map<std::size_t, bool>;

/// A warp's path through the code.
class Walk {
public:
    Walk(const MachineCode& code, WarpAccesses accesses, FreeLoops loops, double wideShare, const Decisions& decided)
        : m_code(code)
        , m_accesses(std::move(accesses))
        , m_loops(std::move(loops))
        , m_wideShare(wideShare)
        , m_decided(decided)
        , m_madeBefore(code.size())
    {
    }

    /// Nothing where the warp's accesses do not fit that path.
    std::optional<MachinePath> run()
    {
        Clock clock;
        for (std::size_t at = 0; at < m_code.size() && m_steps < kMostSteps; ++m_steps) {
            const MachineInstruction& instruction = m_code[at];
            clock.issue(instruction);
            if (instruction.kind == Join)
                clock.pass(kJoinClocks);
            if (instruction.kind == PhaseCheck)
                m_complete = instruction.predicate;
            m_madeBefore[at] = m_accesses.made();
            if (instruction.kind < Counted && !m_accesses.make(m_code.accessKind(at), instruction.conditional))
                return std::nullopt;
            if (instruction.kind == Exit && (!instruction.conditional || m_accesses.left() == AccessCounts {}))
                return m_accesses.left() == AccessCounts {} ? std::optional(clock.path()) : std::nullopt;
            if (instruction.kind == Return && m_returnsTo > 0) {
                at = std::exchange(m_returnsTo, 0);
                clock.pass(kCallClocks);
                continue;
            }
            const bool calls = instruction.kind == Call && m_returnsTo == 0 && m_code.isDivision(instruction.target);
            if (instruction.kind != Branch && !calls) {
                ++at;
                continue;
            }
            if (instruction.target < 0 || instruction.target >= std::int64_t(m_code.size()))
                return std::nullopt;
            if (calls)
                m_returnsTo = at + 1;
            const bool taken = !instruction.conditional || (m_returnsTo == 0 && decide(at));
            if (taken)
                clock.pass(calls ? kCallClocks : m_code.isForward(at) ? kForwardClocks : kBackClocks);
            at = taken ? std::size_t(instruction.target) : at + 1;
        }
        return std::nullopt;
    }
    struct Met {
        std::size_t branch = 0;
        bool taken = false, isConstant = true; ///< how it was taken first, and whether always
    };
    /// The forward branches over accesses that were met undecided, in order.
    [[nodiscard]] const std::vector<Met>& met() const { return m_met; }
    [[nodiscard]] std::size_t steps() const { return m_steps; }
    /// Divisions that were met and can be short.
    [[nodiscard]] std::size_t divisions() const { return m_divisions; }

private:
    bool decide(std::size_t at)
    {
        // A warp that waits for a phase looks once.
        if (m_complete && m_code[at].predicate == *std::exchange(m_complete, {}))
            return !m_code[at].negated;
        if (const auto decided = m_decided.find(at); decided != m_decided.end())
            return decided->second;
        if (m_code.isForward(at) && m_code.leadsToShortDivision(at)) {
            ++m_divisions;
            m_wide += m_wideShare;
            const bool isWide = m_wide >= kWhole;
            m_wide -= isWide ? 1 : 0;
            return !isWide;
        }
        const auto target = std::size_t(m_code[at].target);
        if (!m_code.isForward(at) && m_code.between(target, at) == AccessCounts {})
            return m_loops.turnsAt(at, m_code.stepOf(target, at));
        const std::size_t lastTurn = m_code.isForward(at) ? 0 : m_accesses.made() - m_madeBefore[target];
        const bool taken = takes(m_code, at, m_accesses, lastTurn);
        if (!m_code.isForward(at) || m_code.between(at + 1, target) == AccessCounts {})
            return taken;
        const auto met = std::ranges::find(m_met, at, &Met::branch);
        if (met == m_met.end())
            m_met.push_back({ at, taken });
        else
            met->isConstant = met->isConstant && met->taken == taken;
        return taken;
    }

    static constexpr double kWhole = 1 - 1e-9;
    // Beyond what the control bits say. Source: as MachineInstruction::resultClocks: branches past the rare cases of divisions and roots,
    // loops of 16 dependent sums, functions of one.
    static constexpr double kForwardClocks = 3, kJoinClocks = 9, kBackClocks = 6, kCallClocks = 19; ///< the last of a call, and of the way back

    const MachineCode& m_code;
    WarpAccesses m_accesses;
    FreeLoops m_loops;
    double m_wideShare; ///< of the divisions that can be short, those that are not
    double m_wide = 0; ///< of these, those that have been met less those that have been followed
    std::size_t m_divisions = 0; ///< that can be short
    std::size_t m_returnsTo = 0; ///< from a division's function; 0: the warp is in none
    const Decisions& m_decided;
    std::vector<Met> m_met;
    std::vector<std::size_t> m_madeBefore; ///< accesses, when a warp was last at each instruction
    std::size_t m_steps = 0;
    std::optional<unsigned> m_complete; ///< the predicate that the last phase check has set
};

std::optional<MachinePath> pathThrough(const MachineCode& code, const WarpAccesses& accesses, const FreeLoops& loops, double wideDivisions)
{
    const auto passedBy = [&](std::size_t branch) { return code.between(branch, std::size_t(code[branch].target)); };
    std::size_t steps = 0;
    // The path where no more than so many branches are decided otherwise than the first walk does, loops of the same shape
    // first; with `held`, or as they were decided when they were met first.
    const auto search = [&](std::size_t mostWrong, bool held) -> std::optional<MachinePath> {
        std::vector<Decisions> tried { {} };
        for (std::size_t wrong = 0; wrong <= mostWrong; ++wrong) {
            std::vector<Decisions> alike, others;
            for (const Decisions& decided : tried) {
                Walk walk(code, accesses, loops, 0, decided);
                if (auto path = walk.run()) {
                    if (wideDivisions == 0 || walk.divisions() == 0)
                        return path;
                    return Walk(code, accesses, loops, std::min(1.0, wideDivisions / double(walk.divisions())), decided).run();
                }
                steps += walk.steps();
                if (steps > kMostSearched)
                    return std::nullopt;
                for (const Walk::Met& met : walk.met()) {
                    const bool isAlike = std::ranges::all_of(
                        decided, [&](const auto& before) { return passedBy(before.first) == passedBy(met.branch); });
                    const auto add = [&](bool taken) {
                        (isAlike ? alike : others).push_back(decided);
                        (isAlike ? alike : others).back().emplace(met.branch, taken);
                    };
                    add(!met.taken);
                    if (held && !met.isConstant)
                        add(met.taken);
                }
            }
            tried = std::move(alike);
            std::ranges::move(others, std::back_inserter(tried));
        }
        return std::nullopt;
    };
    // What a branch is taken for may show only later, as where the rest of an unrolled loop stands before it.
    if (auto path = search(2, false); path || steps > kMostSearched)
        return path;
    return search(3, true);
}

} // namespace

std::size_t localWordsStored(std::string_view bytes, int computeMajor)
{
    std::set<std::int64_t> offsets;
    for (std::size_t i = 0; i < bytes.size() / kInstructionBytes; ++i) {
        const MachineInstruction instruction(bytes.data() + i * kInstructionBytes, i, computeMajor);
        for (int word = 0; instruction.kind == LocalStore && word < instruction.words; ++word)
            offsets.insert(instruction.offset + word * std::int64_t(analysis::kLocalWordBytes));
    }
    return offsets.size();
}

std::optional<MachinePath> machinePath(
    std::string_view bytes, int computeMajor, const std::vector<analysis::TraceStep>& warp, const ProgramLoops& program,
    double wideDivisions)
{
    const FreeLoops loops(program);
    using enum Space;
    for (const GenericSpaces generic : { GenericSpaces { Global, Global }, { Shared, Global }, { Shared, Shared }, { Global, Shared } }) {
        bool isGeneric = false;
        for (const bool locksAreAtomics : { false, true }) {
            for (const bool areAlike : { true, false }) {
                const MachineCode code(bytes, computeMajor, generic, locksAreAtomics, areAlike);
                isGeneric = code.isGeneric();
                if (locksAreAtomics && !code.hasLocks())
                    break;
                for (const bool loadsPassBarriers : { false, true })
                    if (auto path = pathThrough(code, WarpAccesses(warp, { loadsPassBarriers, areAlike }), loops, wideDivisions))
                        return path;
            }
        }
        if (!isGeneric)
            break;
    }
    return std::nullopt;
}

} // namespace coalescope::kernels
