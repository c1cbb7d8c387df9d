// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/bank_model.h"

#include "analysis/access/stride.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace coalescope::analysis {

namespace {

constexpr LaneMask kEvenLanes = 0x55555555u; // l of the pairs (l, l^1)
constexpr LaneMask kEvenPairs = 0x33333333u; // l of the pairs (l, l^2)

/// The piece of memory that one lane's access moves as a whole: a word, or 2 or 4 words side by
/// side. All banks under a unit see the same demand, so units stand for their words.
struct Unit {
    int shift; ///< log2 of its bytes
    std::uint32_t groups() const { return std::uint32_t(kBanks * kBankBytes) >> shift; }
};

Unit unitOf(const WarpAccess& access)
{
    return { .shift = std::max(2, std::countr_zero(access.widthBytes)) };
}

/// Lanes of phase `index` when each phase takes `lanes` of them.
LaneMask phaseLanes(int index, int lanes)
{
    return lanes == kWarpLanes ? kAllLanes : ((LaneMask(1) << lanes) - 1) << (index * lanes);
}

int lanesPerPhase(const WarpAccess& access)
{
    return access.widthBytes == 16 ? 8 : access.widthBytes == 8 ? 16 : kWarpLanes;
}

bool pairsEqual(const WarpAccess& access, LaneMask within, int distance)
{
    const LaneMask active = access.active & within;
    LaneMask pairs = active & (active >> distance) & (distance == 1 ? kEvenLanes : kEvenPairs);
    for (; pairs; pairs &= pairs - 1) {
        const int lane = std::countr_zero(pairs);
        if (access.address[lane] != access.address[lane + distance])
            return false;
    }
    return true;
}

/// Lane-pair merging: in every pair (l, l^1), or in every pair (l, l^2), both lanes read the same.
bool lanePairsMerge(const WarpAccess& access, LaneMask within)
{
    return pairsEqual(access, within, 1) || pairsEqual(access, within, 2);
}

/// Largest number of distinct units in one group of banks, where some group has more than one.
std::uint32_t mostUnitsInAGroup(const WarpAccess& access, LaneMask lanes, Unit unit)
{
    constexpr std::size_t kSlots = 64; // twice the units there can be
    std::array<std::uint8_t, kSlots> slotLane {}; // lane + 1 that brought the unit
    std::array<std::uint8_t, kBanks> units {};
    std::uint32_t most = 0;
    for (; lanes; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        const std::uint64_t index = access.address[lane] >> unit.shift;
        std::size_t slot = (index * 0x9e3779b97f4a7c15u) >> 58;
        while (slotLane[slot] && access.address[slotLane[slot] - 1] >> unit.shift != index)
            slot = (slot + 1) % kSlots;
        if (slotLane[slot])
            continue;
        slotLane[slot] = std::uint8_t(lane + 1);
        most = std::max<std::uint32_t>(most, ++units[index & (unit.groups() - 1)]);
    }
    return most;
}

/// Wavefronts of one phase of loads or stores: the largest number of distinct words in one bank.
std::uint32_t phaseWavefronts(const WarpAccess& access, LaneMask lanes, Unit unit)
{
    lanes &= access.active;
    std::array<std::uint64_t, kBanks> first;
    LaneMask seen = 0;
    for (LaneMask left = lanes; left; left &= left - 1) {
        const std::uint64_t index = access.address[std::countr_zero(left)] >> unit.shift;
        const std::uint32_t group = index & (unit.groups() - 1);
        if (!(seen >> group & 1u)) {
            seen |= LaneMask(1) << group;
            first[group] = index;
        } else if (first[group] != index) {
            return mostUnitsInAGroup(access, lanes, unit);
        }
    }
    return lanes ? 1 : 0;
}

/// Wavefronts and occupied phases, `lanes` lanes a phase, of the first `phases` phases.
BankReport phasedReport(const WarpAccess& access, int lanes, int phases)
{
    BankReport report;
    const Unit unit = unitOf(access);
    for (int phase = 0; phase < phases; ++phase) {
        const std::uint32_t wavefronts = phaseWavefronts(access, phaseLanes(phase, lanes), unit);
        report.wavefronts += wavefronts;
        report.phases += wavefronts ? 1 : 0;
    }
    report.wavefrontsSass = report.wavefronts;
    report.conflicts = report.wavefronts - report.phases;
    return report;
}

/// Rows of equal, non-zero steps: the groups of banks that a phase reaches are asked equally often.
BankReport stridedReport(const WarpAccess& access, std::uint64_t stride)
{
    const Unit unit = unitOf(access);
    const std::uint64_t step = stride >> unit.shift;
    const std::uint32_t phases = std::uint32_t(kWarpLanes / lanesPerPhase(access));
    const std::uint32_t perPhase
        = std::uint32_t(std::min<std::uint64_t>(step & -step, unit.groups()));
    return { .wavefronts = phases * perPhase,
        .wavefrontsSass = phases * perPhase,
        .conflicts = phases * (perPhase - 1),
        .phases = phases };
}

/// What instrumented code counts for a wide load: it tests the pairs within each half-warp of a
/// 16-byte load, and merges only where the merged phase is one wavefront. Of the first half-warp it tests no pairs where the
/// last lane is inactive: 406 of 406 recorded loads of 16 bytes; those of 8 do not know it.
std::uint32_t sassWideLoadWavefronts(const WarpAccess& access)
{
    const Unit unit = unitOf(access);
    const int lanes = lanesPerPhase(access);
    std::uint32_t sum = 0;
    for (int phase = 0; phase < kWarpLanes / (2 * lanes); ++phase) {
        const LaneMask merged = phaseLanes(phase, 2 * lanes);
        const bool untested = phase == 0 && access.widthBytes == 16 && !(access.active >> (kWarpLanes - 1) & 1u);
        const bool merges = untested || lanePairsMerge(access, merged);
        const std::uint32_t together = merges ? phaseWavefronts(access, merged, unit) : 0;
        if (merges && together <= 1)
            sum += together;
        else
            sum += phaseWavefronts(access, phaseLanes(2 * phase, lanes), unit)
                + phaseWavefronts(access, phaseLanes(2 * phase + 1, lanes), unit);
    }
    return sum;
}

BankReport wideLoadReport(const WarpAccess& access)
{
    const int lanes = lanesPerPhase(access);
    bool anyMerges = false;
    for (int phase = 0; phase < kWarpLanes / (2 * lanes); ++phase)
        anyMerges = anyMerges || lanePairsMerge(access, phaseLanes(phase, 2 * lanes));
    if (!anyMerges && access.active == kAllLanes)
        return phasedReport(access, lanes, kWarpLanes / lanes);
    const int merged = lanes * (lanePairsMerge(access, kAllLanes) ? 2 : 1);
    BankReport report = phasedReport(access, merged, kWarpLanes / merged);
    report.wavefrontsSass = sassWideLoadWavefronts(access);
    return report;
}

struct PhasePlan {
    int lanes = kWarpLanes, phases = 1;
    int times = 1; ///< that all phases are gone through
};

PhasePlan planOf(const WarpAccess& access)
{
    if (access.op == MemoryOp::MatrixLoad)
        return { .lanes = 8, .phases = access.matrices };
    if (access.op == MemoryOp::AsyncCopy)
        return {};
    int lanes = lanesPerPhase(access);
    if (access.op == MemoryOp::Load && access.widthBytes >= 8 && lanePairsMerge(access, kAllLanes))
        lanes *= 2;
    return { .lanes = lanes,
        .phases = kWarpLanes / lanes,
        .times = isAtomic(access) && access.update == SharedUpdate::InTwoSteps ? 2 : 1 };
}

/// Shared atomics: every lane in a bank costs a wavefront, same word or not; half a warp at a time where they have 8 bytes. A compare and
/// swap serves all lanes twice, and counts its conflicts once.
/// Source: 320 recorded rows of sums, exchanges, compares and swaps (atomic_patterns.csv, special_patterns.csv), of conflicts 180
/// (atomic_counters.csv).
BankReport atomicReport(const WarpAccess& access)
{
    if (access.isOneLanes)
        return access.active ? BankReport { .wavefronts = 1, .wavefrontsSass = 1, .phases = 1 } : BankReport {};
    if (access.update == SharedUpdate::Counted)
        return phasedReport(access, kWarpLanes, 1);
    const Unit unit = unitOf(access);
    const PhasePlan plan = planOf(access);
    BankReport report;
    if (isLoop(access)) {
        for (const LoopTurn& turn : loopTurns(access))
            for (int phase = 0; phase < plan.phases; ++phase)
                report.wavefronts += (turn.lanes & phaseLanes(phase, plan.lanes)) != 0;
        for (int phase = 0; phase < plan.phases; ++phase)
            report.phases += (access.active & phaseLanes(phase, plan.lanes)) != 0;
        report.wavefrontsSass = report.wavefronts;
        report.conflicts = report.wavefronts - report.phases;
        return report;
    }
    for (int phase = 0; phase < plan.phases; ++phase) {
        std::array<std::uint8_t, kBanks> lanes {};
        std::uint32_t most = 0;
        for (LaneMask left = access.active & phaseLanes(phase, plan.lanes); left; left &= left - 1) {
            const std::uint64_t index = access.address[std::size_t(std::countr_zero(left))] >> unit.shift;
            most = std::max<std::uint32_t>(most, ++lanes[index & (unit.groups() - 1)]);
        }
        report.wavefronts += std::uint32_t(plan.times) * most;
        report.phases += most ? std::uint32_t(plan.times) : 0;
        report.conflicts += most ? most - 1 : 0;
    }
    report.wavefrontsSass = report.wavefronts;
    return report;
}

/// cp.async of 16 bytes: the hardware takes all lanes in one phase; instrumented code counts a
/// wavefront for each destination.
BankReport asyncCopyReport(const WarpAccess& access)
{
    BankReport report = phasedReport(access, kWarpLanes, 1);
    std::array<std::uint64_t, kWarpLanes> destinations;
    auto end = destinations.begin();
    for (LaneMask left = access.active; left; left &= left - 1)
        *end++ = access.address[std::countr_zero(left)];
    std::sort(destinations.begin(), end);
    report.wavefrontsSass
        = std::uint32_t(std::unique(destinations.begin(), end) - destinations.begin());
    return report;
}

Result<void> checkShared(const WarpAccess& access)
{
    if (access.space != Space::Shared)
        return fail(ErrorCode::BadInput, "the bank model takes shared accesses only");
    if (access.widthBytes > 16 || !std::has_single_bit(access.widthBytes))
        return fail(ErrorCode::UnsupportedWidth,
            fmt::format("a shared access of {} bytes a lane does not exist", access.widthBytes));
    if (access.op == MemoryOp::AsyncCopy && access.widthBytes != 16)
        return fail(ErrorCode::UnsupportedInstruction,
            fmt::format("the wavefronts of cp.async of {} bytes are not modelled", access.widthBytes));
    if (isAtomic(access) && access.widthBytes != 4 && access.widthBytes != 8)
        return fail(ErrorCode::UnsupportedWidth,
            fmt::format("shared atomics of {} bytes are not modelled", access.widthBytes));
    if (access.op == MemoryOp::MatrixLoad
        && (access.widthBytes != 16 || access.matrices > 4
            || !std::has_single_bit(access.matrices)))
        return fail(ErrorCode::BadInput, "ldmatrix takes 1, 2 or 4 matrices of 16-byte rows");
    if (!isAligned(access))
        return fail(ErrorCode::BadInput,
            fmt::format("a lane's address is no multiple of its {} bytes", access.widthBytes));
    return {};
}

/// Adds one unit of `lane` to the phase's wavefronts (from `first` on): beside the lanes that want
/// the same, else in the first wavefront whose banks are free.
void serve(std::vector<Wavefront>& fronts, std::size_t first, int phase, int lane,
    std::uint64_t firstWord, int words, bool shareWords)
{
    const auto bank = std::int8_t(firstWord % kBanks);
    for (std::size_t i = first;; ++i) {
        if (i == fronts.size())
            fronts.push_back({ .phase = std::int8_t(phase) });
        Wavefront& front = fronts[i];
        const auto taken = std::ranges::find(front.requests, bank, &BankRequest::bank);
        const bool beside = taken != front.requests.end();
        if (beside && !(shareWords && taken->word == firstWord))
            continue;
        front.lanes |= LaneMask(1) << lane;
        for (int word = 0; word < words; ++word) {
            if (beside)
                (taken + word)->lanes |= LaneMask(1) << lane;
            else
                front.requests.push_back({ .bank = std::int8_t(bank + word),
                    .word = firstWord + word,
                    .lanes = LaneMask(1) << lane });
        }
        return;
    }
}

} // namespace

Result<BankReport> bankReport(const WarpAccess& access)
{
    if (auto modelled = checkShared(access); !modelled)
        return std::unexpected(std::move(modelled.error()));
    if (isAtomic(access))
        return atomicReport(access);
    if (access.op == MemoryOp::AsyncCopy)
        return asyncCopyReport(access);
    if (access.op != MemoryOp::MatrixLoad && access.widthBytes >= kBankBytes) {
        const auto stride = constantStride(access);
        if (stride && *stride)
            return stridedReport(access, *stride);
    }
    if (access.op == MemoryOp::Load && access.widthBytes >= 8)
        return wideLoadReport(access);
    const PhasePlan plan = planOf(access);
    return phasedReport(access, plan.lanes, plan.phases);
}

std::vector<LoopTurn> loopTurns(const WarpAccess& access)
{
    const Unit unit = unitOf(access);
    const PhasePlan plan = planOf(access);
    std::vector<LoopTurn> turns;
    for (LaneMask trying = access.active; trying; trying &= ~turns.back().lanes) {
        LoopTurn turn;
        std::array<std::uint64_t, kWarpLanes> changed;
        auto end = changed.begin();
        for (int phase = 0; phase < plan.phases; ++phase) {
            std::uint32_t taken = 0; ///< banks, or pairs of them
            const LaneMask ofPhase = trying & phaseLanes(phase, plan.lanes);
            turn.phases += ofPhase != 0;
            for (LaneMask left = ofPhase; left; left &= left - 1) {
                const int lane = std::countr_zero(left);
                const std::uint64_t word = access.address[std::size_t(lane)] >> unit.shift;
                const std::uint32_t bank = 1u << (word & (unit.groups() - 1));
                if (taken & bank)
                    continue;
                taken |= bank;
                if (std::find(changed.begin(), end, word) != end)
                    continue;
                *end++ = word;
                turn.lanes |= LaneMask(1) << lane;
            }
        }
        turns.push_back(turn);
    }
    return turns;
}

std::vector<Wavefront> wavefronts(const WarpAccess& access)
{
    std::vector<Wavefront> fronts;
    if (!checkShared(access))
        return fronts;
    const PhasePlan plan = planOf(access);
    const Unit unit = unitOf(access);
    const bool shareWords = !isAtomic(access) || access.update == SharedUpdate::Counted;
    const auto serveAll = [&](LaneMask lanes, int phase) {
        const std::size_t first = fronts.size();
        for (; lanes; lanes &= lanes - 1) {
            const int lane = std::countr_zero(lanes);
            const std::uint64_t word = access.address[lane] >> unit.shift << (unit.shift - 2);
            serve(fronts, first, phase, lane, word, 1 << (unit.shift - 2), shareWords);
        }
    };
    if (isAtomic(access) && access.isOneLanes)
        serveAll(access.active & -access.active, 0);
    else if (isLoop(access))
        for (const LoopTurn& turn : loopTurns(access))
            for (int phase = 0; phase < plan.phases; ++phase)
                serveAll(turn.lanes & phaseLanes(phase, plan.lanes), phase);
    else
        for (int phase = 0; phase < plan.phases * plan.times; ++phase)
            serveAll(access.active & phaseLanes(phase % plan.phases, plan.lanes), phase);
    for (Wavefront& front : fronts)
        std::ranges::sort(front.requests, {}, &BankRequest::bank);
    return fronts;
}

} // namespace coalescope::analysis
