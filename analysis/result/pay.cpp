// SPDX-License-Identifier: Apache-2.0
#include "analysis/result/pay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace coalescope::analysis {

namespace {

constexpr double kSameCount = 0.01; ///< counts this near are the same work
constexpr double kSameTime = 0.03; ///< times this near are no reason to change a kernel
constexpr double kMovedTerm = 0.01; ///< of the whole time: a term that moves less explains nothing
constexpr double kExplains = 0.25; ///< of the time's change: a term that moves less is not its reason

/// Which count decides a term. Terms that are not here depend on neither.
struct TermCount {
    std::string_view term;
    PayCount count;
};
constexpr std::array kTermCounts { TermCount { "dram", PayCount::Sectors },
    TermCount { "l2", PayCount::Sectors }, TermCount { "lsu", PayCount::Sectors },
    TermCount { "shared", PayCount::Wavefronts } };

PayCount countOf(std::string_view term)
{
    const auto* const row = std::ranges::find(kTermCounts, term, &TermCount::term);
    return row == kTermCounts.end() ? PayCount::None : row->count;
}

/// A term of both variants.
struct Term {
    std::string name;
    PayFigure ns;

    [[nodiscard]] double moved() const { return ns.moved(); }
    [[nodiscard]] double longest() const { return std::max(ns.before, ns.after); }
};

std::vector<Term> termsOf(const TimeValues& before, const TimeValues& after)
{
    std::vector<Term> terms;
    for (const TimeTerm& term : before.terms)
        terms.push_back({ term.name, { term.ns, 0 } });
    for (const TimeTerm& term : after.terms) {
        const auto same = std::ranges::find(terms, term.name, &Term::name);
        if (same == terms.end())
            terms.push_back({ term.name, { 0, term.ns } });
        else
            same->ns.after = term.ns;
    }
    return terms;
}

PayFigure figureOf(const RunResult& before, const RunResult& after, Metric load, Metric store)
{
    const auto sum = [&](const RunResult& result) {
        return result.metrics.get(load).value_or(0) + result.metrics.get(store).value_or(0);
    };
    return { sum(before), sum(after) };
}

std::optional<PayFigure> timeOf(std::optional<double> before, std::optional<double> after)
{
    if (!before || !after || *before <= 0 || *after <= 0)
        return std::nullopt;
    return PayFigure { *before, *after };
}

std::optional<double> predictedNs(const RunResult& result)
{
    return result.time.warmNs ? result.time.warmNs : result.time.estimateNs;
}

/// The time between events where it was taken, as `warmNs` predicts it.
std::optional<double> measuredNs(const RunResult* result)
{
    return result && result->time.warm ? std::optional(result->time.warm->medianNs) : std::nullopt;
}

PayVerdict verdictOf(const PayFigure& time)
{
    if (std::abs(time.share() - 1) < kSameTime)
        return PayVerdict::NoDifference;
    return time.after < time.before ? PayVerdict::Pays : PayVerdict::Costs;
}

double nsOf(const TimeValues& time, const std::string& term)
{
    const auto found = std::ranges::find(time.terms, term, &TimeTerm::name);
    return found == time.terms.end() ? 0 : found->ns;
}

bool hasChanged(const PayFinding& finding, PayCount count)
{
    switch (count) {
    case PayCount::Sectors:
        return finding.sectors.changed();
    case PayCount::Wavefronts:
        return finding.wavefronts.changed() || finding.conflicts.changed();
    case PayCount::None:
        break;
    }
    return false;
}

void blame(PayFinding& finding, PayReason reason, const Term& term)
{
    finding.reason = reason;
    finding.term = term.name;
    finding.termNs = term.ns;
    finding.count = countOf(term.name);
}

/// The time changes: the term that moved the most the same way is what it follows. Where none moved
/// enough, `termsTime`, of which the terms are, says whether it is their overlap.
void explainChange(
    PayFinding& finding, const std::vector<Term>& terms, const PayFigure& termsTime, bool faster)
{
    const auto sameWay
        = [faster](const Term& term) { return faster ? -term.moved() : term.moved(); };
    const auto most = std::ranges::max_element(terms, {}, sameWay);
    const PayFigure& time = *finding.predictedNs;
    if (sameWay(*most) < std::max(kMovedTerm * time.before, kExplains * std::abs(time.moved()))) {
        const double moved = faster ? -termsTime.moved() : termsTime.moved();
        finding.reason = moved > 0 ? PayReason::Overlap : PayReason::Unexplained;
        return;
    }
    if (!hasChanged(finding, countOf(most->name)))
        return blame(finding, PayReason::OtherTerm, *most);
    const bool takenOver = faster && finding.limiterAfter != most->name;
    blame(finding, takenOver ? PayReason::AnotherLeads : PayReason::Follows, *most);
}

/// One term gains what another loses; where all that move go the same way, they overlap otherwise.
void balance(PayFinding& finding, const std::vector<Term>& terms, const Term& moved)
{
    const auto [gains, loses] = std::ranges::minmax(terms, {}, &Term::moved);
    const double least = kMovedTerm * finding.predictedNs->before;
    if (-gains.moved() < least || loses.moved() < least)
        return blame(finding, PayReason::Overlap, moved);
    blame(finding, PayReason::Balanced, gains);
    finding.otherTerm = loses.name;
    finding.otherNs = loses.ns;
}

/// The time stays: what moved the most is short beside the limiter, or one term gains what another
/// loses. A term of a count that changed goes before others: it is what was asked about.
void explainStandstill(PayFinding& finding, const std::vector<Term>& terms)
{
    const Term* moved = nullptr;
    const auto rank = [&](const Term& term) {
        return std::pair(hasChanged(finding, countOf(term.name)), std::abs(term.moved()));
    };
    for (const Term& term : terms) {
        if (!moved || rank(term) > rank(*moved))
            moved = &term;
    }
    const auto [ofCount, ns] = rank(*moved);
    if (!ofCount && ns < kMovedTerm * finding.predictedNs->before)
        finding.reason = PayReason::Nothing;
    else if (moved->longest() < std::min(finding.limiterNs.before, finding.limiterNs.after))
        blame(finding, PayReason::Beside, *moved);
    else
        balance(finding, terms, *moved);
}

} // namespace

double PayFigure::share() const
{
    if (before == after)
        return 1;
    return before > 0 ? after / before : HUGE_VAL;
}

double PayFigure::moved() const { return after - before; }

bool PayFigure::changed() const { return std::abs(share() - 1) > kSameCount; }

PayFinding payFinding(const RunResult& before, const RunResult& after,
    const RunResult* measuredBefore, const RunResult* measuredAfter)
{
    PayFinding finding;
    finding.sectors
        = figureOf(before, after, Metric::GlobalLoadSectors, Metric::GlobalStoreSectors);
    finding.wavefronts
        = figureOf(before, after, Metric::SharedLoadWavefronts, Metric::SharedStoreWavefronts);
    finding.conflicts
        = figureOf(before, after, Metric::SharedLoadConflicts, Metric::SharedStoreConflicts);
    finding.measuredNs = timeOf(measuredNs(measuredBefore), measuredNs(measuredAfter));
    if (finding.measuredNs)
        finding.measured = verdictOf(*finding.measuredNs);
    finding.predictedNs = timeOf(predictedNs(before), predictedNs(after));
    if (!finding.predictedNs)
        return finding;
    finding.predicted = verdictOf(*finding.predictedNs);
    const std::vector<Term> terms = termsOf(before.time, after.time);
    if (terms.empty())
        return finding;
    const double error
        = std::max(before.time.estimateError.value_or(0), after.time.estimateError.value_or(0));
    finding.withinError = *finding.predicted != PayVerdict::NoDifference
        && std::abs(finding.predictedNs->share() - 1) < error;
    finding.limiterBefore = before.time.limiter;
    finding.limiterAfter = after.time.limiter;
    finding.limiterNs
        = { nsOf(before.time, before.time.limiter), nsOf(after.time, after.time.limiter) };
    if (*finding.predicted == PayVerdict::NoDifference)
        explainStandstill(finding, terms);
    else
        explainChange(finding, terms,
            { before.time.estimateNs.value_or(0), after.time.estimateNs.value_or(0) },
            *finding.predicted == PayVerdict::Pays);
    return finding;
}

} // namespace coalescope::analysis
