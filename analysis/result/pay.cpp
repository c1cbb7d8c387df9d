// SPDX-License-Identifier: Apache-2.0
#include "analysis/result/pay.h"

#include "analysis/result/metric_sums.h"

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
constexpr double kExplains = 0.5; ///< of the time's change: what moves less is not its reason

/// Which count decides a term. Terms that are not here depend on neither.
struct TermCount {
    std::string_view term;
    PayCount count;
};
constexpr std::array kTermCounts { TermCount { "dram", PayCount::DramSectors },
    TermCount { "l2", PayCount::Sectors }, TermCount { "lsu", PayCount::Sectors }, TermCount { "l1", PayCount::Sectors },
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

PayFigure figureOf(const RunResult& before, const RunResult& after, std::span<const Metric> metrics)
{
    return { sumOf(before.metrics, metrics), sumOf(after.metrics, metrics) };
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

/// With a cold L2: as measured where both are, else as predicted.
std::optional<PayFigure> coldOf(const RunResult& before, const RunResult& after, const RunResult* measuredBefore, const RunResult* measuredAfter)
{
    const auto measured = [](const RunResult* result) { return result && result->time.cold ? std::optional(result->time.cold->medianNs) : std::nullopt; };
    const auto both = timeOf(measured(measuredBefore), measured(measuredAfter));
    return both ? both : timeOf(before.time.coldNs, after.time.coldNs);
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

/// What DRAM moves decides its part, be the sectors of the accesses as they may; where it is not estimated, these.
const PayFigure& dramFigure(const PayFinding& finding) { return finding.dramSectors.before > 0 && finding.dramSectors.after > 0 ? finding.dramSectors : finding.sectors; }

bool hasChanged(const PayFinding& finding, PayCount count)
{
    switch (count) {
    case PayCount::Sectors:
        return finding.sectors.changed();
    case PayCount::DramSectors:
        return dramFigure(finding).changed();
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
    finding.count = finding.otherDevice ? PayCount::None : countOf(term.name);
}

/// Whether the count of a term moved as the term did.
bool isDecidedByCount(const PayFinding& finding, const Term& term)
{
    const auto moved = [&](const PayFigure& count) { return count.changed() && count.moved() * term.moved() > 0; };
    switch (finding.otherDevice ? PayCount::None : countOf(term.name)) {
    case PayCount::Sectors:
        return moved(finding.sectors);
    case PayCount::DramSectors:
        return moved(dramFigure(finding));
    case PayCount::Wavefronts:
        return moved(finding.wavefronts) || moved(finding.conflicts);
    case PayCount::None:
        break;
    }
    return false;
}

/// No term explains the time alone: it is several, or how they overlap, or, where the time that the
/// terms are of stays, neither.
void explainByAll(PayFinding& finding, std::vector<Term> terms, double termsTimeMoved, double enough, double sign)
{
    const auto sameWay = [sign](const Term& term) { return sign * term.moved(); };
    double together = 0;
    for (const Term& term : terms)
        together += sameWay(term);
    std::ranges::stable_sort(terms, std::ranges::greater(), sameWay);
    if (sameWay(terms[0]) < kMovedTerm * finding.predictedNs->before) { // they all go the other way
        finding.reason = sign * termsTimeMoved > 0 ? PayReason::Overlap : PayReason::Unexplained;
        return;
    }
    const bool areSeveral = together >= enough && terms.size() > 1 && sameWay(terms[1]) > 0;
    const bool doOverlap = sign * termsTimeMoved > 0;
    blame(finding, areSeveral ? PayReason::Several : doOverlap ? PayReason::Overlap : PayReason::Unexplained, terms[0]);
    if (!areSeveral)
        return;
    finding.otherTerm = terms[1].name;
    finding.otherNs = terms[1].ns;
}

/// The time changes. It follows the term that led it before it fell, or that leads it since it rose,
/// as far as that explains the change; else the one that moved the most the same way, which may
/// stand beside it as waits do. `termsTime` is the time that the terms are of.
void explainChange(
    PayFinding& finding, const std::vector<Term>& terms, const PayFigure& termsTime, bool faster)
{
    const double sign = faster ? -1 : 1;
    const auto sameWay = [sign](const Term& term) { return sign * term.moved(); };
    const PayFigure& time = *finding.predictedNs;
    const double enough = std::max(kMovedTerm * time.before, kExplains * std::abs(time.moved()));
    const std::string& led = faster ? finding.limiterBefore : finding.limiterAfter;
    auto term = std::ranges::find(terms, led, &Term::name);
    if (term == terms.end() || sameWay(*term) < enough)
        term = std::ranges::max_element(terms, {}, sameWay);
    if (sameWay(*term) < enough)
        return explainByAll(finding, terms, termsTime.moved(), enough, sign);
    if (!isDecidedByCount(finding, *term))
        return blame(finding, PayReason::OtherTerm, *term);
    const bool takenOver = faster && finding.limiterBefore == term->name && finding.limiterAfter != term->name;
    blame(finding, takenOver ? PayReason::AnotherLeads : PayReason::Follows, *term);
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
    PayFinding finding { .otherDevice = before.device != after.device,
        .otherKernel = before.kernel != after.kernel };
    finding.sectors = figureOf(before, after, kSectors);
    finding.dramSectors = figureOf(before, after, std::array { Metric::DramReadSectors, Metric::DramWriteSectors });
    finding.wavefronts = figureOf(before, after, kWavefronts);
    finding.conflicts = figureOf(before, after, kConflicts);
    finding.measuredNs = timeOf(measuredNs(measuredBefore), measuredNs(measuredAfter));
    if (finding.measuredNs)
        finding.measured = verdictOf(*finding.measuredNs);
    finding.coldNs = coldOf(before, after, measuredBefore, measuredAfter);
    if (finding.coldNs)
        finding.cold = verdictOf(*finding.coldNs);
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
