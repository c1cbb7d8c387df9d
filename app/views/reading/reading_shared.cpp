// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/reading/reading.h"

#include "app/views/draw/draw.h"
#include "app/views/reading/phrases.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <optional>
#include <set>

namespace coalescope::app {
namespace {

using analysis::BankReport;
using analysis::kBankBytes;
using analysis::kBanks;
using analysis::MemoryOp;
using analysis::WarpAccess;

/// What is asked of the banks over the whole access.
struct Demand {
    std::array<std::set<std::uint64_t>, kBanks> words; ///< distinct ones of each bank
    int banks = 0; ///< with any word
    int firstBank = -1;
    std::size_t most = 0, least = 0; ///< distinct words of a bank, over the banks with any
    std::uint64_t total = 0; ///< distinct words
};

Demand demandOf(const WarpAccess& access)
{
    Demand demand;
    // ldmatrix takes its row addresses from the first eight lanes of each matrix.
    const int lanes
        = access.op == MemoryOp::MatrixLoad ? 8 * access.matrices : analysis::kWarpLanes;
    for (int lane = 0; lane < lanes; ++lane) {
        if (!(access.active >> lane & 1))
            continue;
        const std::uint64_t first = access.address[std::size_t(lane)] / kBankBytes;
        const std::uint64_t last
            = (access.address[std::size_t(lane)] + access.widthBytes - 1) / kBankBytes;
        for (std::uint64_t word = first; word <= last; ++word)
            demand.words[word % kBanks].insert(word);
    }
    for (int bank = 0; bank < kBanks; ++bank) {
        const std::size_t words = demand.words[std::size_t(bank)].size();
        if (words == 0)
            continue;
        demand.firstBank = demand.banks++ == 0 ? bank : demand.firstBank;
        demand.most = std::max(demand.most, words);
        demand.least = demand.least == 0 ? words : std::min(demand.least, words);
        demand.total += words;
    }
    return demand;
}

struct Shared {
    const WarpAccess& access;
    const BankReport& report;
    Pattern pattern;
    Demand demand;

    /// Without conflicts; a wavefront moves 32 words at most, however few phases there are.
    [[nodiscard]] std::uint64_t ideal() const
    {
        const std::uint64_t full = (demand.total + kBanks - 1) / kBanks;
        return std::max<std::uint64_t>(report.wavefronts - report.conflicts, full);
    }
    [[nodiscard]] bool best() const { return report.wavefronts <= ideal(); }
    /// "32 wavefronts where 1 would do"
    [[nodiscard]] QString cost() const
    {
        return best() ? Phrases::wavefronts(report.wavefronts)
                      : Phrases::tr("%1 where %2 would do")
                            .arg(Phrases::wavefronts(report.wavefronts), formatCount(ideal()));
    }
};

QString atomicSentence(const Shared& s)
{
    const QString lanes = Phrases::lanes(s.pattern.lanes);
    const QString cost = Phrases::wavefronts(s.report.wavefronts);
    if (s.access.isOneLanes && s.pattern.lanes > 1)
        return Phrases::tr("%1 update the same word; the compiler puts together what they do, and one lane does it: %2.").arg(lanes, cost);
    if (isLoop(s.access)) {
        const auto turns = std::uint64_t(analysis::loopTurns(s.access).size());
        return Phrases::tr("%1 load, compare and swap in a loop, in each turn one lane of a bank: %2.")
            .arg(lanes, Phrases::count(turns, Phrases::tr("1 turn"), Phrases::tr("%1 turns")));
    }
    if (s.pattern.broadcast() && s.access.update == analysis::SharedUpdate::Counted)
        return Phrases::tr("%1 count up the same word together: %2.").arg(lanes, cost);
    if (s.report.conflicts == 0)
        return Phrases::tr("%1 %2 a bank each: %3.")
            .arg(lanes, Phrases::verb(s.access.op, s.pattern.lanes), cost);
    if (s.pattern.broadcast())
        return Phrases::tr("%1 update the same word, one after another: %2.").arg(lanes, cost);
    const std::uint64_t most = (s.report.wavefronts + s.report.phases - 1) / s.report.phases;
    if (s.access.update == analysis::SharedUpdate::Counted) // lanes of one word go together
        return Phrases::tr("Up to %1 words of one bank are counted up, one after another: %2.").arg(most).arg(cost);
    return Phrases::tr("Up to %1 lanes update one bank, one after another: %2.").arg(most).arg(cost);
}

QString matrixSentence(const Shared& s)
{
    const QString what = s.access.matrices == 1
        ? Phrases::tr("ldmatrix reads 1 matrix of 8 rows")
        : Phrases::tr("ldmatrix reads %1 matrices of 8 rows").arg(s.access.matrices);
    if (s.report.conflicts == 0)
        return Phrases::tr("%1, no two different rows of a matrix in one bank: %2.")
            .arg(what, s.cost());
    return Phrases::tr("%1, and rows of a matrix meet in a bank: %2.").arg(what, s.cost());
}

QString freeSentence(const Shared& s)
{
    const QString lanes = Phrases::lanes(s.pattern.lanes);
    const QString verb = Phrases::verb(s.access.op, s.pattern.lanes);
    const std::uint64_t wordsOfLane = std::max<std::uint64_t>(1, s.access.widthBytes / kBankBytes);
    if (s.pattern.lanes == 1)
        return Phrases::tr("%1 %2 %3: %4.")
            .arg(lanes, verb, Phrases::bytes(s.access.widthBytes), s.cost());
    if (s.demand.total > kBanks && s.report.phases == 1)
        return Phrases::tr("%1 %2 %3 each: %4, as few as so many words need.")
            .arg(lanes, verb, Phrases::bytes(s.access.widthBytes), s.cost());
    if (s.report.phases > 1)
        return Phrases::tr("%1 %2 %3 each in %4 phases, none with a conflict: %5.")
            .arg(lanes, verb, Phrases::bytes(s.access.widthBytes), formatCount(s.report.phases),
                s.cost());
    if (s.pattern.lanes > 1 && s.demand.total == 1)
        return Phrases::tr("%1 %2 the same word: %3.").arg(lanes, verb, s.cost());
    if (s.demand.total == std::uint64_t(s.pattern.lanes) * wordsOfLane)
        return Phrases::tr("%1 %2 %3 in as many different banks: %4.")
            .arg(lanes, verb, Phrases::words(s.demand.total), s.cost());
    return Phrases::tr("%1 %2 %3, some of them shared, no two in one bank: %4.")
        .arg(lanes, verb, Phrases::words(s.demand.total), s.cost());
}

QString conflictSentence(const Shared& s)
{
    const QString lanes = Phrases::lanes(s.pattern.lanes);
    if (s.report.phases > 1)
        return Phrases::tr(
            "%1 ask for %2 each in %3 phases, and different words meet in a bank: %4.")
            .arg(
                lanes, Phrases::bytes(s.access.widthBytes), formatCount(s.report.phases), s.cost());
    if (s.demand.banks == 1)
        return Phrases::tr("%1 ask bank %2 for %3: %4.")
            .arg(lanes)
            .arg(s.demand.firstBank)
            .arg(Phrases::words(s.demand.total), s.cost());
    if (s.demand.least == s.demand.most)
        return Phrases::tr("%1 ask %2 of the 32 banks for %3 each: %4.")
            .arg(lanes)
            .arg(s.demand.banks)
            .arg(Phrases::words(s.demand.most), s.cost());
    return Phrases::tr("%1 ask %2 of the 32 banks, the busiest for %3: %4.")
        .arg(lanes)
        .arg(s.demand.banks)
        .arg(Phrases::words(s.demand.most), s.cost());
}

QString sharedSentence(const Shared& s)
{
    if (s.pattern.lanes == 0)
        return Phrases::tr("No lane is active: no wavefront.");
    if (s.access.op == MemoryOp::MatrixLoad)
        return matrixSentence(s);
    if (isAtomic(s.access))
        return atomicSentence(s);
    return s.best() ? freeSentence(s) : conflictSentence(s);
}

/// "33 words" where the distance is whole words, else "130 B".
QString distanceText(std::int64_t bytes)
{
    const auto size = std::uint64_t(std::abs(bytes));
    return size % kBankBytes == 0
        ? Phrases::count(size / kBankBytes, Phrases::tr("1 word"), Phrases::tr("%1 words"))
        : Phrases::tr("%1 B").arg(formatCount(size));
}

/// The next larger distance between lanes or groups at which the model finds no conflict.
std::optional<std::int64_t> conflictFree(const Shared& s, std::int64_t now)
{
    const std::int64_t step = std::max<std::int64_t>(kBankBytes, s.access.widthBytes);
    const std::int64_t start = std::abs(now) / step * step;
    // More padding than this is no advice.
    const std::int64_t most = std::max<std::int64_t>(8 * kBankBytes, 2 * step);
    for (std::int64_t more = step; more <= most; more += step) {
        const std::int64_t stride = now < 0 ? -(start + more) : start + more;
        const auto report = analysis::bankReport(respaced(s.access, s.pattern, stride));
        if (report && report->conflicts == 0 && report->wavefronts <= s.report.wavefronts)
            return stride;
    }
    return {};
}

/// What distance keeps lanes in the same banks, and which next one would not.
QString spacingRemark(const Shared& s)
{
    const bool grouped = s.pattern.groupLanes > 0;
    if (!grouped && !s.pattern.stride)
        return {};
    const std::int64_t now = grouped ? s.pattern.groupOuter : *s.pattern.stride;
    const auto better = conflictFree(s, now);
    if (!better)
        return {};
    const std::int64_t more = std::abs(*better) - std::abs(now);
    if (grouped)
        return Phrases::tr(
            "Groups of %1 lanes are %2 apart; %3 more between them and there is no conflict.")
            .arg(s.pattern.groupLanes)
            .arg(distanceText(now), distanceText(more));
    const bool oneBank = s.demand.banks == 1 && now % (kBanks * kBankBytes) == 0;
    return (oneBank
            ? Phrases::tr(
                "Lanes are %1 apart, so they stay in one bank; %2 of padding spreads them.")
            : Phrases::tr("Lanes are %1 apart; %2 more between them and there is no conflict."))
        .arg(distanceText(now), distanceText(more));
}

QString sharedRemark(const Shared& s)
{
    const QString partial = Phrases::partial(s.pattern.lanes);
    if (s.pattern.lanes <= 1 || isAtomic(s.access))
        return s.pattern.lanes == 0 ? QString() : partial;
    if (s.access.op == MemoryOp::MatrixLoad)
        return {}; // its lanes are row addresses, not movers
    if (!s.best())
        return Phrases::join(partial, spacingRemark(s));
    if (s.access.op == MemoryOp::Store && s.pattern.broadcast())
        return Phrases::join(partial, Phrases::tr("Which lane's value stays is not defined."));
    return partial;
}

} // namespace

Reading readShared(const WarpAccess& access, const BankReport& report)
{
    const Shared s { access, report, patternOf(access), demandOf(access) };
    return { sharedSentence(s), sharedRemark(s) };
}

} // namespace coalescope::app
